package io.varve.internal.wal.segment;

import static java.lang.invoke.MethodHandles.lookup;

import io.varve.internal.wal.format.FrameHeader;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;

/// The end of the log, where commits reserve their bytes by one compare-and-set.
///
/// - (A1) `tail` grows only, by the bytes of one reservation or of one batch's mark, so everything
///   below it belongs to exactly one of them. It carries [#CLOSED] once no more may be reserved.
/// - (A2) `limit` grows only. A reservation ends so far below it that the mark which seals its
///   batch has capacity too: in the ring, in a prepared segment, and within the cap.
public final class Tail {
  private static final VarHandle TAIL =
      ConstantBootstraps.fieldVarHandle(lookup(), "tail", VarHandle.class, Tail.class, long.class);
  private static final VarHandle LIMIT =
      ConstantBootstraps.fieldVarHandle(lookup(), "limit", VarHandle.class, Tail.class, long.class);

  /// Returned when a commit cannot be reserved now.
  public static final long NO_CAPACITY = -1;

  private static final long CLOSED = Long.MIN_VALUE;

  /// The heads of frames and segments take less than this part of a body: of 64 KiB, the least
  /// ring, 4 KiB for each segment and some bytes for each frame.
  private static final int HEADS_PART = 8;

  private final int termBytes;
  private final int frameBytesMax;
  private final int overheadBytes;
  private final long capBytes;

  private volatile long tail; // volatile reads, compare-and-set (A1)
  private volatile long limit; // volatile reads, compare-and-set to larger values only (A2)

  // What the limit is made of. Each grows only and has one writer at a time.
  private volatile long releasedLsn;
  private volatile long preparedLsn;
  private volatile long retainedLsn;

  /// How long the ring is: a term at first. Written by the allocator's thread.
  private volatile RingLap ring;

  /// @param termBytes what no frame crosses the end of
  /// @param overheadBytes of each frame of a commit, in addition to its body
  public Tail(int termBytes, int overheadBytes, long capBytes, long firstLsn, long retainedLsn) {
    this.termBytes = termBytes;
    this.ring = RingLap.of(termBytes);
    this.frameBytesMax = FrameHeader.frameBytesMax(termBytes);
    this.overheadBytes = overheadBytes;
    this.capBytes = capBytes;
    this.tail = firstLsn;
    this.limit = firstLsn;
    this.releasedLsn = firstLsn;
    this.preparedLsn = firstLsn;
    this.retainedLsn = retainedLsn;
  }

  public long lsn() {
    return tail & ~CLOSED;
  }

  public boolean isClosed() {
    return tail < 0;
  }

  /// Lets nobody reserve any more.
  public void close() {
    TAIL.getAndBitwiseOr(this, CLOSED);
  }

  /// Moves the tail from `expected` to `lsn` for the mark of a batch, open or closed.
  public boolean moveForMark(long expected, long lsn) {
    long current = tail;
    return (current & ~CLOSED) == expected
        && TAIL.compareAndSet(this, current, lsn | (current & CLOSED));
  }

  /// Reserves bytes for a commit.
  ///
  /// @return the old tail: the record starts at [#startOf] of it; or [#NO_CAPACITY]
  public long tryReserve(long bodyBytes) {
    while (true) {
      long from = tail;
      if (from < 0) {
        return NO_CAPACITY;
      }
      long start = startOf(from, bodyBytes);
      long end = endOf(start, bodyBytes);
      if (end + FrameHeader.MARK_BYTES_MAX > limit && !fits(start, end)) {
        return NO_CAPACITY;
      }
      if (TAIL.compareAndSet(this, from, end)) {
        return from;
      }
    }
  }

  /// The length of one frame that holds all of a body.
  public long frameBytes(long bodyBytes) {
    return bodyBytes + overheadBytes;
  }

  /// Where a record starts that is reserved at this tail: there, or at the next term. It is the
  /// next term for a single frame that the rest of the term cannot hold. So it is if the rest can
  /// hold no part of any body.
  public long startOf(long from, long bodyBytes) {
    long frameBytes = frameBytes(bodyBytes);
    long termRemaining = termBytes - (from & (termBytes - 1));
    boolean cannotStart = frameBytes <= frameBytesMax || termRemaining <= overheadBytes;
    return frameBytes > termRemaining && cannotStart ? from + termRemaining : from;
  }

  /// Where a record ends that starts at `start`.
  public long endOf(long start, long bodyBytes) {
    if (frameBytes(bodyBytes) <= frameBytesMax) {
      return FrameHeader.next(start, (int) frameBytes(bodyBytes), termBytes);
    }
    long at = start;
    long left = bodyBytes;
    while (true) {
      int length = frameLength(at, left);
      left -= length - overheadBytes;
      at = FrameHeader.next(at, length, termBytes);
      if (left == 0) {
        return at;
      }
    }
  }

  /// The length of the frame at `lsn` of a commit that is cut, with `left` bytes of body to go. All
  /// but the last end at a block, so that what is published so far can be written at any time.
  public int frameLength(long lsn, long left) {
    long termRemaining = termBytes - (lsn & (termBytes - 1));
    long cut = ((lsn + frameBytesMax) & -FrameHeader.BLOCK) - lsn;
    return (int) Math.min(frameBytes(left), Math.min(cut, termRemaining));
  }

  public boolean isCut(long bodyBytes) {
    return frameBytes(bodyBytes) > frameBytesMax;
  }

  /// Whether a commit of this size could be reserved now.
  public boolean hasCapacity(long bodyBytes) {
    long from = tail;
    return from >= 0 && fits(startOf(from, bodyBytes), endOf(startOf(from, bodyBytes), bodyBytes));
  }

  private boolean fits(long start, long end) {
    return fitsRing(start, end) && fitsSegments(end) && fitsCap(start, end);
  }

  /// A commit larger than half the ring is filled while it drains, so half the ring will do.
  private boolean fitsRing(long start, long end) {
    return Math.min(end, start + ringBytes() / 2) + FrameHeader.MARK_BYTES_MAX <= ringEndLsn();
  }

  private boolean fitsSegments(long end) {
    return end + FrameHeader.MARK_BYTES_MAX <= preparedLsn;
  }

  /// A commit larger than half the cap must pass some time; it counts as half.
  private boolean fitsCap(long start, long end) {
    return start + Math.min(end - start, capBytes / 2) <= retainedLsn + capBytes;
  }

  /// The obstacle to a commit of this size, in the order of remedies.
  public Obstacle obstacle(long bodyBytes) {
    long start = startOf(lsn(), bodyBytes);
    long end = endOf(start, bodyBytes);
    if (isClosed()) {
      return Obstacle.CLOSED;
    }
    if (!fitsCap(start, end)) {
      return Obstacle.CAP;
    }
    if (!fitsSegments(end)) {
      return Obstacle.SEGMENTS;
    }
    return fitsRing(start, end) ? Obstacle.NONE : Obstacle.RING;
  }

  /// The LSN up to which segments must be prepared for a commit of this size.
  public long preparedLsnFor(long bodyBytes) {
    return endOf(startOf(lsn(), bodyBytes), bodyBytes) + FrameHeader.MARK_BYTES_MAX;
  }

  public enum Obstacle {
    NONE,
    RING,
    SEGMENTS,
    CAP,
    CLOSED
  }

  public long releasedLsn() {
    return releasedLsn;
  }

  /// The LSN up to which frames may be encoded now, as far as the ring is concerned.
  public long ringEndLsn() {
    long released = releasedLsn;
    return ring.endAfter(released);
  }

  /// How long the ring is for what is reserved now.
  public int ringBytes() {
    long released = releasedLsn;
    return ring.bytesAfter(released);
  }

  /// The ring is longer from now on, or will be from some LSN on.
  void ringIs(RingLap lap) {
    ring = lap;
    raiseLimit();
  }

  long preparedLsn() {
    return preparedLsn;
  }

  public long retainedLsn() {
    return retainedLsn;
  }

  public long capBytes() {
    return capBytes;
  }

  /// What files may take for a commit beyond [LogSettings#fileBytesMax].
  public long excessFileBytes(long bodyBytes) {
    return Math.max(0, bodyBytes + bodyBytes / HEADS_PART - capBytes / 2);
  }

  /// The ring below this LSN is written and zero again.
  public void releasedTo(long lsn) {
    releasedLsn = lsn;
    raiseLimit();
  }

  /// Segments below this LSN are ready to be written.
  public void preparedTo(long lsn) {
    preparedLsn = lsn;
    raiseLimit();
  }

  /// The log below this LSN is not needed any more.
  public void retainedFrom(long lsn) {
    retainedLsn = lsn;
    raiseLimit();
  }

  private void raiseLimit() {
    long next =
        Math.min(
            Math.min(ringEndLsn(), preparedLsn),
            retainedLsn + capBytes + FrameHeader.MARK_BYTES_MAX);
    long current;
    do {
      current = limit;
    } while (next > current && !LIMIT.compareAndSet(this, current, next));
  }
}
