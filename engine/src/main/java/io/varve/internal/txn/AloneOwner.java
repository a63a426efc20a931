package io.varve.internal.txn;

/// Whose a transaction is that runs alone: what a thread that meets a reservation asks.
final class AloneOwner {
  private final Thread thread = Thread.currentThread();
  private final String body;
  private final long beganNanos;

  /// The calling thread, which begins to run `body`.
  AloneOwner(String body, long nowNanos) {
    this.body = body;
    this.beganNanos = nowNanos;
  }

  /// Whether the calling thread runs the transaction.
  @SuppressWarnings("ReferenceEquality") // threads
  boolean isCaller() {
    return thread == Thread.currentThread();
  }

  /// Facts for the message of the thread that waited without success.
  String describe(long nowNanos) {
    return "transaction="
        + body
        + ", thread="
        + thread.getName()
        + "#"
        + thread.threadId()
        + ", runsMillis="
        + (nowNanos - beganNanos) / 1_000_000;
  }
}
