package io.varve.internal.txn;

/// Slows writers, smoothly, when what they leave behind grows faster than checkpoints take it away.
@FunctionalInterface
public interface Throttle {
  /// Called before each commit, without locks; may wait for a bounded time.
  void beforeCommit();
}
