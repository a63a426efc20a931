package io.varve;

import java.time.Duration;

/// One point in the commit order, over all spaces, unchanged by later commits. Taking one is O(1)
/// and blocks nobody; holding one keeps the disk space of what it shows from being reused, so close
/// it. A snapshot sits in no table that readers would contend on, and holds no lock.
///
/// Safe for use by many threads at once. After [#close()] every use is a [StoreClosedException].
public non-sealed interface Snapshot extends ReadView, AutoCloseable {
  /// The LSN of the last commit that this snapshot shows.
  long lsn();

  /// How long ago this snapshot was taken.
  Duration age();

  /// Lets go of the snapshot. Cursors over it fail from now on. Idempotent.
  @Override
  void close();
}
