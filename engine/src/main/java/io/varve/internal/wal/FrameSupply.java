package io.varve.internal.wal;

import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.group.GroupCommit;
import io.varve.internal.wal.group.WaitList;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogBuffer;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.PublishedPosition;
import io.varve.internal.wal.segment.Tail;
import org.jspecify.annotations.Nullable;

/// Gives a sink the frames of a commit that is cut, and takes the commits that are published.
final class FrameSupply {
  private final LogBuffer memory;

  /// Null if the store is not encrypted.
  private final @Nullable SessionCipher cipher;

  private final Tail tail;
  private final Failure failure;
  private final PublishedPosition published;
  private final GroupCommit groupCommit;
  private final WaitList capacityWaiters;

  /// How far the tail moves between looks at the ring's fill and the segments left; a power of two.
  private final long lookBytes;

  FrameSupply(
      LogParts log,
      @Nullable SessionCipher cipher,
      GroupCommit groupCommit,
      WaitList capacityWaiters,
      long lookBytes) {
    this.memory = log.memory();
    this.cipher = cipher;
    this.tail = log.tail();
    this.failure = log.failure();
    this.published = log.published();
    this.groupCommit = groupCommit;
    this.capacityWaiters = capacityWaiters;
    this.lookBytes = lookBytes;
  }

  /// What frames are filled in.
  LogBuffer memory() {
    return memory;
  }

  /// What their bodies are encrypted by; null if they are not.
  @Nullable SessionCipher cipher() {
    return cipher;
  }

  /// A sink has published its record.
  void published() {
    published.endFrame();
    groupCommit.armTimer();
  }

  /// Waits, between the frames of a commit that is cut, until the ring has capacity for the next.
  ///
  /// @return the length of the next frame
  int awaitFrame(long lsn, long bodyLeft) {
    int length = tail.frameLength(lsn, bodyLeft);
    if (((lsn ^ (lsn - FrameHeader.BLOCK)) & -lookBytes) != 0) {
      groupCommit.requestDrain();
    }
    long end = lsn + length;
    if (end > tail.ringEndLsn()) {
      capacityWaiters.await(() -> {
        failure.check();
        if (end <= tail.ringEndLsn()) {
          return true;
        }
        groupCommit.requestDrain();
        return false;
      });
    }
    return length;
  }
}
