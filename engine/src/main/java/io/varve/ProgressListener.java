package io.varve;

/// Receives the progress of a long piece of work. The thread that does the work calls it often, so
/// it must be quick. It must neither change nor close the store that is worked on:
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

  /// A listener that ignores the progress.
  static ProgressListener none() {
    return (_, _) -> {};
  }
}
