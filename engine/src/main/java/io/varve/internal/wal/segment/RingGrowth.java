package io.varve.internal.wal.segment;

import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.StoreThreads;
import java.io.IOException;

/// Doubles the memory of the log when commits ask for it. For the allocator's thread, except
/// [#ask].
///
/// (GROWTH-1) Memory that cannot be doubled stays as it is, and commits wait for it to be written.
/// So no lack of disk, of memory, of files or of mappings fails the store. It is tried again when
/// as much log has passed as is ever in memory.
final class RingGrowth {
  private final LogBuffer memory;
  private final Tail tail;
  private final StoreThreads threads;

  private volatile boolean asked;
  private long notBeforeLsn; // the tail must have reached it
  private boolean reported;

  RingGrowth(LogBuffer memory, Tail tail, StoreThreads threads) {
    this.memory = memory;
    this.tail = tail;
    this.threads = threads;
  }

  /// Asks for it. For any thread.
  ///
  /// @return whether the allocator's thread has work
  boolean ask() {
    if (asked || !memory.mayDouble()) {
      return false;
    }
    asked = true;
    return true;
  }

  /// Doubles it if that was asked for, before more log is made ready (R5 of [Ring]).
  ///
  /// @param preparedLsn up to where log is ready
  /// @return whether the limit of the tail is another
  boolean run(long preparedLsn) {
    if (!asked || tail.lsn() < notBeforeLsn) {
      return false;
    }
    asked = false;
    try {
      if (!memory.tryDouble(preparedLsn, tail.releasedLsn())) {
        return false;
      }
    } catch (IOException | OutOfMemoryError e) {
      notBeforeLsn = tail.lsn() + memory.bytesMax(); // (GROWTH-1)
      if (!(e instanceof DiskFullException) && !reported) {
        reported = true;
        report(e);
      }
      return false;
    }
    tail.ringIs(memory.lap());
    return true;
  }

  /// In a thread of its own: what takes logs is the users' code as well, and may take long.
  private void report(Throwable cause) {
    String message =
        "the ring of the log cannot be made longer: bytes="
            + tail.ringBytes()
            + ", bytesMax="
            + memory.bytesMax()
            + "; commits continue, and those of many threads may wait for each other; raise the"
            + " limit of open files, of mappings or of memory, see the cause; this is reported once"
            + " for each open";
    try {
      threads
          .newVirtualThread(
              "varve-ring-report",
              () ->
                  System.getLogger(RingGrowth.class.getName())
                      .log(System.Logger.Level.WARNING, message, cause))
          .start();
    } catch (OutOfMemoryError _) {
      // A report that finds no memory is left out: the ring stays short, and commits continue.
    }
  }
}
