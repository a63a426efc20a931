package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.LiveEpochs;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.txn.SpaceRegistry;
import io.varve.internal.txn.Throttle;
import io.varve.internal.wal.Log;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Admits commits as [DiskAdmission] allows. Where it does not, frees on the thread of the commit
/// what deletes left in the page file, before the commit is refused: by checkpoints, of which two
/// free whatever was deleted before the first, and by a compaction if what is free is in short
/// pieces.
///
/// - (CR-1) A commit is refused only after an attempt to free capacity. The attempt began after the
///   commit was called, or it ended within [#RETRY_NANOS] before it. In the second case it was for
///   no more than the commit needs, and nothing was deleted and no snapshot was closed since.
/// - (CR-2) No lock of a commit, and no lock that a checkpoint takes, is held while this waits; but
///   the registry's by the thread that makes a space, which comes before the checkpoint lock. That
///   thread, and a transaction that runs alone, start no compaction: its moves would meet their
///   reservations.
/// - (CR-3) Each wait ends: after two checkpoints, and a compaction of [#COMPACTION_NANOS_MAX] at
///   most; of a delete among others after [#DELETE_NANOS_MAX]. A close and a failure end all.
/// - (CR-4) A delete whose log found no capacity tries again only if something came between: a
///   commit, a release of log, or more capacity. Its look writes the reserve again where it can. A
///   log that needs more than the reserve and the rest would have it released without end.
/// - (CR-5) Large values pass the log, so neither its cap nor its length asks for a checkpoint: one
///   that was written again and again took as many copies in the file as there were until the next.
///   So one is asked for where half of what is live, or [#REPLACED_BYTES_MIN], was retired since
///   the last request. What a snapshot holds asks for none again. Of two threads that ask for the
///   same, each asks for one.
///
/// Safe for threads. The locks here are taken before the checkpoint lock.
public final class CapacityReclaimer {
  /// Two checkpoints free what was deleted before the first of them.
  private static final int CHECKPOINTS_MAX = 2;

  /// How long to wait before the same is tried again that freed nothing.
  private static final long RETRY_NANOS = 200_000_000;

  /// How long a commit may compact.
  private static final long COMPACTION_NANOS_MAX = 10_000_000_000L;

  /// How long a delete tries to find capacity that others take.
  private static final long DELETE_NANOS_MAX = 10_000_000_000L;

  /// How long a commit removes what was dropped.
  private static final long REMOVAL_NANOS_MAX = 10_000_000_000L;

  /// How long no commit compacts after a compaction that did not help.
  private static final long COMPACTION_REST_NANOS = 60_000_000_000L;

  /// Retired bytes that are worth no checkpoint. CR-5
  private static final long REPLACED_BYTES_MIN = 128L << 20;

  /// A compaction is tried again sooner if as much more is free, as a part of what was free then.
  private static final int FREE_GROWTH_PART = 8;

  private final DiskAdmission admission;
  private final Checkpointer checkpointer;
  private final CheckpointRequests requests;
  private final SpaceRegistry spaces;
  private final Log log;
  private final Clock clock;

  /// Held while one commit that grows the store frees capacity; the others wait for what it finds.
  private final OrderedLock growing;

  /// The same for commits that only delete: these do not wait for a compaction. Fair, since one
  /// that tries again takes it again, and would keep out what it waits for: a commit that is under
  /// way, and frees log for itself (CR-3).
  private final OrderedLock deleting;

  /// The retired bytes at the last request, or less. CR-5
  private volatile long replacedBytes;

  /// The attempt that failed last, or null. Guarded by `growing`.
  private @Nullable Failed failed;

  /// The compaction that did not help, or null. Guarded by `growing`.
  private @Nullable Failed compaction;

  /// What the log could have when a delete last tried again, or null. Guarded by `deleting`.
  private @Nullable LogShare tried;

  /// An attempt that freed too little.
  ///
  /// @param attempt what it was for
  /// @param nanos when it ended
  /// @param bytes what was there to free, or free, when it ended
  /// @param held the epochs that were held then
  private record Failed(Attempt attempt, long nanos, long bytes, LiveEpochs held) {}

  private Failed failed(Attempt attempt, long bytes) {
    return new Failed(attempt, clock.nanoTime(), bytes, checkpointer.liveEpochs());
  }

  public CapacityReclaimer(
      DiskAdmission admission,
      Checkpointer checkpointer,
      CheckpointRequests requests,
      SpaceRegistry spaces,
      Log log,
      Clock clock) {
    this.admission = admission;
    this.checkpointer = checkpointer;
    this.requests = requests;
    this.spaces = spaces;
    this.log = log;
    this.clock = clock;
    this.growing = new OrderedLock(admission.locks(), LockOrder.FREEING_FOR_GROWTH);
    this.deleting = OrderedLock.fair(admission.locks(), LockOrder.FREEING_FOR_DELETES);
  }

  /// Admits a commit, if need be after it has freed capacity.
  ///
  /// @return what is to be given to [DiskAdmission#ended] when it was applied or abandoned
  /// @throws StoreFullException if there is no capacity for it
  long admit(long dirtyingBytes, long bodyBytes, boolean grows) {
    long logExcessBytes = log.excessFileBytes(bodyBytes);
    long admitted =
        logExcessBytes == 0 ? admission.tryAdmit(dirtyingBytes, grows) : Throttle.NOT_NOW;
    if (admitted != Throttle.NOT_NOW) {
      return admitted;
    }
    if (!admission.admitByLook(dirtyingBytes, logExcessBytes, grows)) {
      free(new Attempt(dirtyingBytes, logExcessBytes, grows ? Kind.GROWTH : Kind.DELETE));
    }
    return dirtyingBytes + logExcessBytes;
  }

  private void free(Attempt attempt) {
    if (attempt.kind == Kind.DELETE) {
      freeForDelete(attempt);
    } else {
      freeForGrowth(attempt);
    }
  }

  /// Frees capacity for a delete, until it is clear that none is to be had for it alone: what other
  /// threads have under way or changed takes what it would find.
  private void freeForDelete(Attempt attempt) {
    long deadlineNanos = clock.nanoTime() + DELETE_NANOS_MAX;
    boolean isAdmitted;
    boolean mayTry;
    do {
      deleting.lock();
      try {
        // A delete that finds no capacity has left something to write since the last checkpoint.
        isAdmitted = attempt.isAdmitted() || attempt.checkpoints();
      } finally {
        deleting.unlock();
      }
      mayTry = attempt.cause == null && !requests.isStopping() && !admission.isAtRest();
    } while (!isAdmitted && mayTry && clock.nanoTime() - deadlineNanos < 0);
    if (!isAdmitted) {
      throw admission.refusal(attempt.bytes, attempt.logExcessBytes, attempt.cause);
    }
  }

  private void freeForGrowth(Attempt attempt) {
    growing.lock();
    try {
      if (attempt.isAdmitted()) {
        return;
      }
      Failed last = failed;
      if (last != null && attempt.needsAsMuchAs(last.attempt) && hasJust(last)) {
        throw admission.refusal(attempt.bytes, attempt.logExcessBytes, last.attempt.cause);
      }
      if (!attempt.checkpoints() && !attempt.compaction()) {
        failed = failed(attempt, admission.reclaimableBytes());
        throw admission.refusal(attempt.bytes, attempt.logExcessBytes, attempt.cause);
      }
      failed = null;
    } finally {
      growing.unlock();
    }
  }

  /// Admits an image of a large value, as [#admit] does a commit.
  long admitImage(long bytes) {
    askForReplaced();
    long admitted = admission.tryAdmitImage(bytes);
    if (admitted != Throttle.NOT_NOW) {
      return admitted;
    }
    if (!admission.admitImageByLook(bytes)) {
      free(new Attempt(bytes, 0, Kind.IMAGE));
    }
    return bytes;
  }

  /// Asks for a checkpoint where enough was replaced. CR-5
  private void askForReplaced() {
    long bytes = admission.reclaimableBytes();
    long grown = bytes - replacedBytes;
    if (grown < 0 || grown > Math.max(REPLACED_BYTES_MIN, admission.liveBytes() / 2)) {
      replacedBytes = bytes;
      if (grown > 0) {
        requests.askForCheckpoint();
      }
    }
  }

  /// Frees capacity for an image of a large value that met a full disk although it was admitted:
  /// what is free is in pieces too short for it, or another program took the rest. By checkpoints
  /// at first, then by a compaction.
  ///
  /// @param attempts how often this has for the image
  /// @return whether it is worth another try
  boolean freeForImage(long bytes, int attempts) {
    growing.lock();
    try {
      Attempt attempt = new Attempt(bytes, 0, Kind.IMAGE);
      return switch (attempts) {
        case 0 -> attempt.writesCheckpoints();
        case 1 -> attempt.mayCompact() && attempt.compacts() && attempt.writesCheckpoints();
        default -> false;
      };
    } finally {
      growing.unlock();
    }
  }

  /// Whether another attempt would find what the last one did (CR-1).
  private boolean hasJust(Failed last) {
    return clock.nanoTime() - last.nanos < RETRY_NANOS
        && spaces.dropped().isEmpty()
        && checkpointer.liveEpochs().equals(last.held)
        && admission.reclaimableBytes() == last.bytes;
  }

  /// What capacity is wanted for.
  private enum Kind {
    /// A commit that adds something.
    GROWTH,

    /// An image of a large value.
    IMAGE,

    /// A commit that only deletes or moves.
    DELETE
  }

  /// What one thread does to be admitted.
  private final class Attempt {
    private final long bytes;
    private final long logExcessBytes;
    private final Kind kind;

    /// Why it broke off, if it did.
    private @Nullable VarveException cause;

    Attempt(long bytes, long logExcessBytes, Kind kind) {
      this.bytes = bytes;
      this.logExcessBytes = logExcessBytes;
      this.kind = kind;
    }

    /// Whether this finds no capacity where another attempt found none. A commit may find some
    /// where an image found none: images may not take the reserve.
    boolean needsAsMuchAs(Attempt other) {
      return bytes + logExcessBytes >= other.bytes + other.logExcessBytes
          && (kind == other.kind || kind == Kind.IMAGE);
    }

    boolean isAdmitted() {
      return kind == Kind.IMAGE
          ? admission.admitImageByLook(bytes)
          : admission.admitByLook(bytes, logExcessBytes, kind == Kind.GROWTH);
    }

    /// Removes what was dropped: of that nothing is free before.
    private void removes() {
      long deadlineNanos = clock.nanoTime() + REMOVAL_NANOS_MAX;
      boolean more = true;
      while (more && clock.nanoTime() - deadlineNanos < 0) {
        more = tries(() -> spaces.dropped().removeNext()) && !spaces.dropped().isEmpty();
      }
    }

    /// Writes checkpoints until one has freed enough.
    boolean checkpoints() {
      removes();
      for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        if (!tries(checkpointer::checkpoint)) {
          return false;
        }
        if (isAdmitted()) {
          return true;
        }
      }
      return false;
    }

    /// Writes as many checkpoints as may free anything.
    ///
    /// @return whether they were written
    boolean writesCheckpoints() {
      removes();
      boolean written = true;
      for (int i = 0; i < CHECKPOINTS_MAX && written; i++) {
        written = tries(checkpointer::checkpoint);
      }
      return written;
    }

    boolean compaction() {
      if (!admission.mayCompactionHelp(bytes, logExcessBytes) || !mayCompact()) {
        return false;
      }
      // One that was cut short has moved pages as well, whose extents two checkpoints free.
      if (compacts() && (isAdmitted() || checkpoints())) {
        compaction = null;
        return true;
      }
      return false;
    }

    boolean mayCompact() {
      Failed last = compaction;
      boolean isResting =
          last != null
              && clock.nanoTime() - last.nanos < COMPACTION_REST_NANOS
              && admission.freeBytes() - last.bytes <= last.bytes / FREE_GROWTH_PART;
      return !isResting && !spaces.isAlone();
    }

    /// Compacts. Until it is known to have helped, it counts as one that did not.
    boolean compacts() {
      long deadlineNanos = clock.nanoTime() + COMPACTION_NANOS_MAX;
      boolean done = tries(() -> requests.compactUntil(deadlineNanos, admission::isTight, log));
      compaction = failed(this, admission.freeBytes());
      return done;
    }

    /// Does something unless the store is about to close.
    ///
    /// @return whether it was done: there was capacity for it
    private boolean tries(Runnable work) {
      if (requests.isStopping()) {
        return false;
      }
      try {
        work.run();
        return true;
      } catch (StoreFullException | StoreIoException e) {
        cause = e;
        return false;
      }
    }
  }

  /// Frees capacity in the log: for a commit that adds nothing by the reserve, or else by
  /// checkpoints and a compaction. Checkpoints release log segments, which are used again, and a
  /// compaction shortens the page file. What others freed before this looked counts as well, though
  /// nothing shows it: a commit that grows tries once more alone, and a delete once after each
  /// change (CR-4).
  ///
  /// @return whether it is worth another try
  boolean freeLogCapacity(boolean grows) {
    ReentrantLock one = grows ? growing : deleting;
    one.lock();
    try {
      if (!grows && admission.releaseBallast() && hasChanged()) {
        return true;
      }
      LogShare before = logShare();
      for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        checkpointer.checkpoint();
      }
      Attempt attempt = new Attempt(0, 0, grows ? Kind.GROWTH : Kind.DELETE);
      if (grows && !logShare().isMoreThan(before) && attempt.mayCompact()) {
        attempt.compacts();
      }
      return grows || logShare().isMoreThan(before) || hasChanged();
    } finally {
      one.unlock();
    }
  }

  /// What the log can have.
  ///
  /// @param tailLsn the end of the log
  /// @param retainedBytes what checkpoints have not released of it
  /// @param bytes of its files, and of what the disk has for more: the same while it tries to grow
  private record LogShare(long tailLsn, long retainedBytes, long bytes) {
    boolean isMoreThan(LogShare before) {
      return retainedBytes < before.retainedBytes || bytes > before.bytes;
    }
  }

  private LogShare logShare() {
    return new LogShare(log.tailLsn(), log.retainedBytes(), admission.logAndUsableBytes());
  }

  /// Whether something came between since a delete last tried again (CR-4).
  private boolean hasChanged() {
    LogShare now = logShare();
    LogShare last = tried;
    boolean changed = last == null || now.tailLsn != last.tailLsn || now.isMoreThan(last);
    if (changed) {
      tried = now;
    }
    return changed;
  }
}
