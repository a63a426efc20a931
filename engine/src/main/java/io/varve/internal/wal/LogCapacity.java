package io.varve.internal.wal;

import io.varve.StoreClosedException;
import io.varve.StoreFullException;
import io.varve.internal.disk.Clock;
import io.varve.internal.event.Events;
import io.varve.internal.event.LogWaitEvent;
import io.varve.internal.wal.group.GroupCommit;
import io.varve.internal.wal.group.WaitList;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.LogWaits;
import io.varve.internal.wal.segment.Priority;
import io.varve.internal.wal.segment.PublishedPosition;
import io.varve.internal.wal.segment.SegmentAllocator;
import io.varve.internal.wal.segment.Tail;
import io.varve.internal.wal.segment.Tail.Obstacle;

/// Has commits wait that the log has no capacity for, and asks for the removal of what is in their
/// way: a batch that is written, a segment that is made ready, or a checkpoint.
///
/// Thread-safe. A wait takes no lock and is not ended by an interrupt.
final class LogCapacity {
  private final Tail tail;
  private final Failure failure;
  private final PublishedPosition published;
  private final GroupCommit groupCommit;
  private final SegmentAllocator allocator;
  private final WaitList waiters;
  private final Clock clock;
  private final Priority priority = new Priority();
  private final LogWaits waits = new LogWaits();

  /// @param waiters woken by what makes capacity
  LogCapacity(
      LogParts parts,
      GroupCommit groupCommit,
      SegmentAllocator allocator,
      WaitList waiters,
      Clock clock) {
    this.tail = parts.tail();
    this.failure = parts.failure();
    this.published = parts.published();
    this.groupCommit = groupCommit;
    this.allocator = allocator;
    this.waiters = waiters;
    this.clock = clock;
  }

  /// Why a commit may be reserved before others that wait.
  enum Claim {
    NONE,
    PRIORITY,
    STORE
  }

  /// Whether another thread's commit has priority.
  boolean hasPriorityOfAnother() {
    return priority.isOfAnother();
  }

  /// Ends the priority of the calling thread, if it has it.
  void endPriority() {
    if (priority.end()) {
      waiters.wakeAll();
    }
  }

  /// How long commits waited so far.
  LogWaits waits() {
    return waits;
  }

  /// Waits as [Log#awaitCapacity] does.
  void await(long bodyBytes, Claim claim) {
    published.expectNoOwner();
    LogWaitEvent event = Events.logWait();
    var search = new Search(bodyBytes, claim);
    try {
      waiters.await(search::isOver);
    } catch (RuntimeException | Error e) {
      endPriority();
      throw e;
    } finally {
      String obstacle = LogWaits.name(search.lastObstacle);
      search.waitsFor(Obstacle.NONE);
      if (event != null) {
        event.ended(obstacle, bodyBytes);
      }
    }
  }

  /// One thread's wait for capacity.
  private final class Search {
    private final long bodyBytes;
    private final Claim claim;
    private boolean askedForRing; // a longer one: once, or a full disk would be asked in a loop
    private long requestedLsn = -1; // segments were asked for up to here
    private long request = Long.MAX_VALUE; // the number of the last request
    private Obstacle lastObstacle = Obstacle.NONE;
    private long since; // when it was met

    Search(long bodyBytes, Claim claim) {
      this.bodyBytes = bodyBytes;
      this.claim = claim;
    }

    /// Counts the wait until now for the obstacle that was met last.
    void waitsFor(Obstacle next) {
      long now = clock.nanoTime();
      waits.add(lastObstacle, now - since);
      lastObstacle = next;
      since = now;
    }

    /// Whether there is capacity; if not, asks for the removal of the obstacle.
    boolean isOver() {
      check();
      boolean isAfterAnother =
          switch (claim) {
            case NONE -> priority.isOfAnother();
            case PRIORITY -> !priority.tryTake();
            case STORE -> false;
          };
      if (isAfterAnother) {
        // The commit that has it asks for the removal of the obstacle.
        Obstacle theirs = tail.obstacle(bodyBytes);
        waitsFor(theirs == Obstacle.NONE ? Obstacle.RING : theirs);
        return false;
      }
      if (tail.hasCapacity(bodyBytes)) {
        return true;
      }
      Obstacle obstacle = tail.obstacle(bodyBytes);
      waitsFor(obstacle);
      switch (obstacle) {
        case RING -> {
          if (!askedForRing) {
            askedForRing = true;
            allocator.ringFilled();
          }
          groupCommit.requestDrain();
        }
        case SEGMENTS -> {
          throwIfRefused();
          // The tail may have moved on since the last request.
          long neededLsn = tail.preparedLsnFor(bodyBytes);
          if (neededLsn > requestedLsn) {
            requestedLsn = neededLsn;
            request = allocator.request(neededLsn);
          }
        }
        case CAP -> {
          throwIfRefused();
          if (request == Long.MAX_VALUE) {
            request = allocator.ticket();
          }
          allocator.pressure();
        }
        case CLOSED -> check();
        case NONE -> {
          return true;
        }
      }
      return false;
    }

    private void throwIfRefused() {
      StoreFullException refusal = allocator.refusal(request);
      if (refusal != null) {
        throw refusal;
      }
    }
  }

  private void check() {
    boolean closed = tail.isClosed();
    failure.check(); // after the look at the tail, which a failure closes as well
    if (closed) {
      throw new StoreClosedException("log is closed; open the store again");
    }
  }
}
