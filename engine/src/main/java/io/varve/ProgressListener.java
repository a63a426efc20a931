package io.varve;

/// Told how far a long piece of work has come. Called often, by the thread that does the work; it
/// must be quick. It must neither change nor close the store that is worked on:
/// [Store#verify(ProgressListener)] holds the lock of checkpoints in its calls, and a change may
/// wait for one. It may use other stores.
///
/// @since 1.0
@FunctionalInterface
public interface ProgressListener {
  /// Notes the bytes done so far.
  ///
  /// @param bytes done; grows only
  /// @param total bytes there are to do, about; -1 if nobody knows
  void progress(long bytes, long total);

  /// A listener that ignores what it is told.
  static ProgressListener none() {
    return (_, _) -> {};
  }
}
