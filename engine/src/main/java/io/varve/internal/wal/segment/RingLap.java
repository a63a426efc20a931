package io.varve.internal.wal.segment;

/// How long the ring is. It begins short, and doubles at an LSN that no commit has reached.
///
/// (RING-1) `doubledFrom` is an odd multiple of `bytes`. So in the lap before it, offsets are the
/// same in a ring of either length. The lap that begins there is in the half that is new.
///
/// @param bytes the length below `doubledFrom`; a power of two
/// @param doubledFrom from there on it is twice as long; [Long#MAX_VALUE] if nowhere
record RingLap(int bytes, long doubledFrom) {

  /// A ring of one length.
  static RingLap of(int bytes) {
    return new RingLap(bytes, Long.MAX_VALUE);
  }

  /// The length of which the byte at an LSN has its offset.
  int bytesAt(long lsn) {
    return lsn < doubledFrom ? bytes : 2 * bytes;
  }

  /// How far the log may go when all below `releasedLsn` has left the ring. It is twice the length
  /// as soon as what is left belongs to the last lap before the ring doubles.
  long endAfter(long releasedLsn) {
    return releasedLsn + bytesAfter(releasedLsn);
  }

  /// How long it is for what is reserved when all below `releasedLsn` has left the ring.
  int bytesAfter(long releasedLsn) {
    return isSettled(releasedLsn) ? 2 * bytes : bytes;
  }

  private boolean isSettled(long releasedLsn) {
    return releasedLsn >= doubledFrom - bytes;
  }

  /// The same, without what is past.
  RingLap after(long releasedLsn) {
    return isSettled(releasedLsn) ? of(2 * bytes) : this;
  }

  boolean isDoubling() {
    return doubledFrom != Long.MAX_VALUE;
  }

  /// Doubles it as soon as possible at or after an LSN. (RING-1)
  RingLap doubledAt(long lsn) {
    long twice = 2L * bytes;
    return new RingLap(bytes, Math.ceilDiv(lsn - bytes, twice) * twice + bytes);
  }
}
