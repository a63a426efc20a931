package io.varve.internal.wal.segment;

import static java.lang.invoke.MethodHandles.lookup;

import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Insiders;
import io.varve.internal.wal.format.FrameHeader;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/// How far the log is published without a gap, and so with the operating system.
///
/// (P1) `lsn` grows only, from the start of one frame to the start of another, over frames whose
/// length was seen published. No thread is notified when a frame is published: one that needs to
/// know walks over the frames.
///
/// (PUBLICATION-2) A wait for a frame ends: its owner publishes it or fails the log, and the waiter
/// fails the log if the owner is lost. An owner that is slow is waited for.
public final class PublishedPosition {
  private static final VarHandle LSN =
      ConstantBootstraps.fieldVarHandle(
          lookup(), "lsn", VarHandle.class, PublishedPosition.class, long.class);

  private final LogBuffer memory;
  private final Tail tail;
  private final Clock clock;
  private final Failure failure;

  /// The threads that have reserved a frame and not published all of it.
  private final Insiders owners;

  private final LongAdder records = new LongAdder();
  private final LongAdder recordBytes = new LongAdder();

  private volatile long lsn; // volatile reads, compare-and-set by anyone (P1)

  public PublishedPosition(LogBuffer memory, Tail tail, Clock clock, Failure failure) {
    this(memory, tail, clock, failure, new Insiders());
  }

  /// @param owners notes which threads own a frame
  public PublishedPosition(
      LogBuffer memory, Tail tail, Clock clock, Failure failure, Insiders owners) {
    this.owners = owners;
    this.memory = memory;
    this.tail = tail;
    this.clock = clock;
    this.failure = failure;
    this.lsn = tail.lsn();
  }

  public long lsn() {
    return lsn;
  }

  /// Commits published.
  public long records() {
    return records.sum();
  }

  /// Bytes of their frames.
  public long recordBytes() {
    return recordBytes.sum();
  }

  /// Notes that the calling thread owns a frame from now on, or is about to.
  public void beginFrame() {
    owners.enter();
  }

  /// Notes that the calling thread has published its frame.
  public void endFrame() {
    owners.leave();
  }

  /// Notes that the calling thread is about to wait, and so owns no frame.
  public void expectNoOwner() {
    owners.expectOutside();
  }

  /// Fails the log if the owner of a frame is lost (PUBLICATION-2).
  private void requireOwners() {
    String lost = owners.findLost();
    if (lost != null) {
      failure.fail(
          new IllegalStateException(
              "a thread was lost between reserving and writing its commit record: thread="
                  + lost
                  + ", publishedLsn="
                  + lsn
                  + ", tailLsn="
                  + tail.lsn()
                  + "; commits after that position cannot become durable; close and reopen the"
                  + " store, and see that the thread does not run out of stack or memory"));
      failure.check();
    }
  }

  /// Waits until every frame below `target` is published. A committer between reserving and
  /// publishing copies memory only, so that is soon, unless it is lost (PUBLICATION-2).
  public void await(long target) {
    if (!advanceTo(target)) {
      Backoff.until(
          clock,
          () -> {
            failure.check();
            return advanceTo(target);
          },
          this::requireOwners);
    }
  }

  /// Moves the published LSN on over frames that are published.
  ///
  /// The memory may move on under the walk; then what it read means nothing. But the published LSN
  /// has moved as well, since only what is published is ever released, and the compare-and-set
  /// fails. The walk must not go round a ring either: past what is released by one ring's length,
  /// it would take frames of the last lap for new ones.
  public boolean advanceTo(long target) {
    try {
      return walkTo(target);
    } catch (InternalError e) {
      throw failure.failedBy(e);
    }
  }

  private boolean walkTo(long target) {
    while (true) {
      long from = lsn;
      long at = from;
      long reach = Math.min(target, tail.ringEndLsn());
      int commits = 0;
      long commitBytes = 0;
      while (at < reach && memory.mayStartAt(at)) {
        int length = memory.lengthAt(at);
        if (length < FrameHeader.BODY) {
          break;
        }
        byte type = memory.typeAt(at);
        commits += type == FrameHeader.COMMIT || type == FrameHeader.LAST ? 1 : 0;
        commitBytes += type == FrameHeader.MARK || type == FrameHeader.PAD ? 0 : length;
        at = FrameHeader.next(at, length, memory.bytes());
      }
      if (at == from) {
        if (from >= target) {
          return true;
        }
        if (lsn == from) {
          return false;
        }
      } else if (LSN.compareAndSet(this, from, at) && commitBytes > 0) {
        records.add(commits);
        recordBytes.add(commitBytes);
      }
    }
  }
}
