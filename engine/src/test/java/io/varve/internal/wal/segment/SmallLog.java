package io.varve.internal.wal.segment;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A log that is small enough for tests to go round in.
public final class SmallLog {
  public static final StoreId ID = new StoreId(11, 22);
  public static final int RING = LogSettings.RING_BYTES_MIN;
  public static final LogSettings OPTIONS =
      LogSettings.defaults().ringBytes(RING).segmentBytes(4 * RING).prepareBytes(RING);

  /// With a ring that begins with one term, as that of a store does.
  public static final LogSettings GROWING = OPTIONS.ringBytes(8 * RING).termBytesMax(RING);

  private SmallLog() {}

  /// The first generation of the log.
  static LogGeneration generation(long firstLsn) {
    return new LogGeneration(ID, 1, firstLsn, new LogPosition(firstLsn, 0, true), null);
  }

  /// A ring of which no batch is written.
  public static Ring ring(MemorySegment memory, int salt) {
    var disk = new HookedDisk();
    return new Ring(disk, OPTIONS, salt, segments(disk), memory);
  }

  private static Segments segments(HookedDisk disk) {
    return new Segments(disk, OPTIONS, generation(0), 1, null, List.of());
  }

  /// A log that writes no batch.
  public static LogParts parts(Ring ring, Tail tail, Failure failure) {
    var published = new PublishedPosition(ring, tail, Clock.SYSTEM, failure);
    return new LogParts(ring, segments(new HookedDisk()), tail, published, failure);
  }
}
