package io.varve.internal.wal.segment;

import io.varve.LogIo;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.DataKey.Purpose;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.SegmentHeader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How a log is kept. Immutable: each setter gives a changed copy.
///
/// Thread-safe.
public final class LogSettings {
  public static final int RING_BYTES_MIN = FrameHeader.TERM_BYTES_MIN;
  public static final int RING_BYTES_MAX = FrameHeader.TERM_BYTES_MAX;

  /// How many terms the longest ring has, unless it is very short or very long.
  private static final int TERMS = 4;

  private static final LogSettings DEFAULTS = new LogSettings();

  // Written only before a copy is handed out, which is through a final field or a lock.
  private int ringBytes = 16 << 20;
  private long segmentBytes = 16L << 20;
  private long logBytesMax = 256L << 20;
  private long flushIntervalNanos = TimeUnit.MILLISECONDS.toNanos(200);
  private int flusherCount = 4;
  private int spareSegmentsMax = 4;
  private int prepareBytes = 4 << 20;
  private int termBytesMax = 4 << 20;
  private boolean keeps = false;
  private LogMode mode = LogMode.DEFAULT;
  private StoreThreads threads = StoreThreads.PLATFORM;
  private @Nullable DataKey dataKey;
  private LogReach.Keeper reachKeeper = LogReach.Keeper.NONE;
  private Runnable askForCheckpoint = () -> {};

  private LogSettings() {}

  private LogSettings(LogSettings options) {
    ringBytes = options.ringBytes;
    segmentBytes = options.segmentBytes;
    logBytesMax = options.logBytesMax;
    flushIntervalNanos = options.flushIntervalNanos;
    flusherCount = options.flusherCount;
    spareSegmentsMax = options.spareSegmentsMax;
    prepareBytes = options.prepareBytes;
    termBytesMax = options.termBytesMax;
    keeps = options.keeps;
    mode = options.mode;
    threads = options.threads;
    dataKey = options.dataKey;
    reachKeeper = options.reachKeeper;
    askForCheckpoint = options.askForCheckpoint;
  }

  /// Checks the limits of what was changed, and rounds [#segmentBytes()].
  private LogSettings checked() {
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
    require(
        "termBytesMax",
        termBytesMax,
        Integer.bitCount(termBytesMax) == 1 && termBytesMax >= RING_BYTES_MIN);
    require("prepareBytes", prepareBytes, prepareBytes >= 4096 && prepareBytes % 4096 == 0);
    segmentBytes = Math.ceilDiv(segmentBytes, ringBytes) * ringBytes;
    return this;
  }

  /// A 16 MiB ring, segments of 16 MiB, 256 MiB of log, 200 ms.
  public static LogSettings defaults() {
    return DEFAULTS;
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

  /// The most memory in which records are kept before they are written; a power of two.
  public int ringBytes() {
    return ringBytes;
  }

  public LogSettings ringBytes(int value) {
    LogSettings next = new LogSettings(this);
    next.ringBytes = value;
    return next.checked();
  }

  /// The stretch of log that no frame crosses the end of, and that is always in one piece of
  /// memory: what a ring begins with. A power of two. Of a log that is mapped, all of the memory.
  public int termBytes() {
    if (mode.io() == LogIo.MAPPED) {
      return ringBytes;
    }
    return Math.min(Math.max(RING_BYTES_MIN, ringBytes / TERMS), termBytesMax);
  }

  /// What a term is at most, which else is a quarter of the ring.
  public LogSettings termBytesMax(int value) {
    LogSettings next = new LogSettings(this);
    next.termBytesMax = value;
    return next.checked();
  }

  /// Bytes of log per segment file, rounded up to a multiple of the ring.
  public long segmentBytes() {
    return segmentBytes;
  }

  public LogSettings segmentBytes(long value) {
    LogSettings next = new LogSettings(this);
    next.segmentBytes = value;
    return next.checked();
  }

  /// The most log kept between checkpoints, except for marks of batches, which may take
  /// [FrameHeader#MARK_BYTES_MAX] more.
  public long logBytesMax() {
    return logBytesMax;
  }

  public LogSettings logBytesMax(long value) {
    LogSettings next = new LogSettings(this);
    next.logBytesMax = value;
    return next.checked();
  }

  /// The most time that a commit of `BACKGROUND` stays unforced.
  public long flushIntervalNanos() {
    return flushIntervalNanos;
  }

  public LogSettings flushIntervalNanos(long value) {
    LogSettings next = new LogSettings(this);
    next.flushIntervalNanos = value;
    return next.checked();
  }

  /// Threads that write the log, and the most batches in flight together, if commits are grouped as
  /// is the default.
  public int flusherCount() {
    return flusherCount;
  }

  public LogSettings flusherCount(int value) {
    LogSettings next = new LogSettings(this);
    next.flusherCount = value;
    return next.checked();
  }

  /// The most segment files kept for reuse when their log is no longer needed.
  public int spareSegmentsMax() {
    return spareSegmentsMax;
  }

  public LogSettings spareSegmentsMax(int value) {
    LogSettings next = new LogSettings(this);
    next.spareSegmentsMax = value;
    return next.checked();
  }

  /// The longest step in which segment files are filled with zeros ahead of their use.
  public int prepareBytes() {
    return prepareBytes;
  }

  public LogSettings prepareBytes(int value) {
    LogSettings next = new LogSettings(this);
    next.prepareBytes = value;
    return next.checked();
  }

  /// Whether segments are kept that no checkpoint needs any more.
  public boolean keeps() {
    return keeps;
  }

  public LogSettings keeps(boolean value) {
    LogSettings next = new LogSettings(this);
    next.keeps = value;
    return next.checked();
  }

  /// How it is written and waited for.
  public LogMode mode() {
    return mode;
  }

  public LogSettings mode(LogMode value) {
    LogSettings next = new LogSettings(this);
    next.mode = value;
    return next.checked();
  }

  /// The threads that the log works with.
  public StoreThreads threads() {
    return threads;
  }

  public LogSettings threads(StoreThreads value) {
    LogSettings next = new LogSettings(this);
    next.threads = value;
    return next.checked();
  }

  /// What the bodies of commits are encrypted with, or null if they are not.
  public @Nullable DataKey dataKey() {
    return dataKey;
  }

  public LogSettings dataKey(@Nullable DataKey value) {
    LogSettings next = new LogSettings(this);
    next.dataKey = value;
    return next.checked();
  }

  /// Remembers how far the log was made ready.
  public LogReach.Keeper reachKeeper() {
    return reachKeeper;
  }

  public LogSettings reachKeeper(LogReach.Keeper value) {
    LogSettings next = new LogSettings(this);
    next.reachKeeper = value;
    return next.checked();
  }

  /// What runs, on a thread of the log, when the log passes three quarters of its cap and when
  /// somebody waits for it to shrink; after that not again until a checkpoint has released log, or
  /// was refused. It must only ask for one.
  public Runnable askForCheckpoint() {
    return askForCheckpoint;
  }

  public LogSettings askForCheckpoint(Runnable value) {
    LogSettings next = new LogSettings(this);
    next.askForCheckpoint = value;
    return next.checked();
  }

  /// What the bodies of commits are encrypted by in a session; null if they are not.
  public @Nullable SessionCipher cipher(@Nullable Session session) {
    return dataKey == null || session == null ? null : dataKey.cipher(Purpose.LOG, session);
  }

  private static void require(String name, long value, boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("log option out of range: " + name + "=" + value);
    }
  }
}
