package io.varve.internal.wal;

import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.DataKey.Purpose;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.StoreThreads;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How a log is kept.
///
/// @param ringBytes memory in which records are laid before they are written; a power of two
/// @param segmentBytes bytes of log per segment file, rounded up to a multiple of the ring
/// @param logBytesMax the most log kept between checkpoints, but for marks of batches, which may
///   take [#MARK_BYTES_MAX] more
/// @param flushIntervalNanos the most time that a commit of `BACKGROUND` stays unforced
/// @param flusherCount threads that write the log, and the most batches under way at once, if
///   commits are grouped as is the default
/// @param spareSegmentsMax segment files kept for reuse when their log is no longer needed
/// @param prepareBytes the step in which segment files are filled with zeros ahead of their use
/// @param keeps whether segments are kept that no checkpoint needs any more
/// @param mode how it is written and waited for
/// @param threads the threads that the log works with
/// @param dataKey that the bodies of commits are encrypted with, or null if they are not
/// @param reachKeeper remembers how far the log was made ready
public record LogOptions(
    int ringBytes,
    long segmentBytes,
    long logBytesMax,
    long flushIntervalNanos,
    int flusherCount,
    int spareSegmentsMax,
    int prepareBytes,
    boolean keeps,
    LogMode mode,
    StoreThreads threads,
    @Nullable DataKey dataKey,
    LogReach.Keeper reachKeeper) {

  public static final int RING_BYTES_MIN = 1 << 16;
  public static final int RING_BYTES_MAX = 1 << 28;

  /// Room for the mark of a batch, which takes at most a block and its own bytes: each reservation
  /// leaves it, and a full log has it for the marks that seal its last batches.
  public static final int MARK_BYTES_MAX = 2 * FrameHeader.BLOCK;

  /// Checks the limits and rounds [#segmentBytes()].
  public LogOptions {
    require(
        "ringBytes",
        ringBytes,
        Integer.bitCount(ringBytes) == 1
            && ringBytes >= RING_BYTES_MIN
            && ringBytes <= RING_BYTES_MAX);
    require("segmentBytes", segmentBytes, segmentBytes > 0);
    require("logBytesMax", logBytesMax, logBytesMax > 0);
    require("flushIntervalNanos", flushIntervalNanos, flushIntervalNanos > 0);
    require("flusherCount", flusherCount, flusherCount > 0 && flusherCount <= 64);
    require("spareSegmentsMax", spareSegmentsMax, spareSegmentsMax >= 0);
    require("prepareBytes", prepareBytes, prepareBytes >= 4096 && prepareBytes % 4096 == 0);
    segmentBytes = Math.ceilDiv(segmentBytes, ringBytes) * ringBytes;
  }

  /// The most that the files of such a log take on disk, unless one commit is larger than half of
  /// the cap: what is retained, the rest of the segment that it begins in, one ahead, and spares.
  public long fileBytesMax() {
    return ringBytes
        + retainedFileBytesMax()
        + spareSegmentsMax * (segmentBytes + SegmentHeader.BYTES);
  }

  /// The most that the segments take which are retained, with one ahead. A log that is never killed
  /// stays within it; one that is killed again and again begins a segment with each open.
  public long retainedFileBytesMax() {
    return logBytesMax + 2 * (segmentBytes + SegmentHeader.BYTES);
  }

  /// A 16 MiB ring, segments of 64 MiB, 256 MiB of log, 200 ms.
  public static LogOptions defaults() {
    return new LogOptions(
        16 << 20,
        64L << 20,
        256L << 20,
        TimeUnit.MILLISECONDS.toNanos(200),
        4,
        4,
        4 << 20,
        false,
        LogMode.DEFAULT,
        StoreThreads.PLATFORM,
        null,
        LogReach.Keeper.NONE);
  }

  public LogOptions ringBytes(int value) {
    return new LogOptions(
        value,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions segmentBytes(long value) {
    return new LogOptions(
        ringBytes,
        value,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions logBytesMax(long value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        value,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions flushIntervalNanos(long value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        value,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions flusherCount(int value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        value,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions spareSegmentsMax(int value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        value,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions prepareBytes(int value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        value,
        keeps,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions keeps(boolean value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        value,
        mode,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions mode(LogMode value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        value,
        threads,
        dataKey,
        reachKeeper);
  }

  public LogOptions threads(StoreThreads value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        value,
        dataKey,
        reachKeeper);
  }

  public LogOptions dataKey(@Nullable DataKey value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        value,
        reachKeeper);
  }

  public LogOptions reachKeeper(LogReach.Keeper value) {
    return new LogOptions(
        ringBytes,
        segmentBytes,
        logBytesMax,
        flushIntervalNanos,
        flusherCount,
        spareSegmentsMax,
        prepareBytes,
        keeps,
        mode,
        threads,
        dataKey,
        value);
  }

  /// What the bodies of commits are encrypted by in a session; null if they are not.
  @Nullable SessionCipher cipher(@Nullable Session session) {
    return dataKey == null || session == null ? null : dataKey.cipher(Purpose.LOG, session);
  }

  private static void require(String name, long value, boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("log option out of range: " + name + "=" + value);
    }
  }
}
