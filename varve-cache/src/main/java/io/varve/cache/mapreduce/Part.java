package io.varve.cache.mapreduce;

import java.time.Duration;

/// What one process does of a job over several: it maps, on threads of its own, and then gives the
/// pairs, those of a key combined. Threads: safe for any number of them.
///
/// - **Memory:** as a whole job: what the budget cannot hold is on the disk. Pages are made when
///   they are taken.
/// - **Failures:** what failed is thrown by every later call but [#figures] and [#close].
///
/// @since 1.0
public interface Part extends Pages, AutoCloseable {
  /// Waits until all elements are mapped.
  ///
  /// @return false if they are not yet
  /// @throws InterruptedException if the caller was interrupted; the part continues
  boolean awaitMapped(Duration atMost) throws InterruptedException;

  /// How far it is. Cheap enough to poll.
  MapFigures figures();

  /// Ends it: waits until none of its threads runs, its stream is closed and no file of it is left.
  /// Idempotent.
  @Override
  void close();
}
