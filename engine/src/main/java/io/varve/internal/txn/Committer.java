package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.event.CommitEvent;
import io.varve.internal.event.CommitWaitEvent;
import io.varve.internal.event.Events;
import io.varve.internal.file.LargeValues;
import io.varve.internal.tree.Approach;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.wal.RecordSink;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Applies commits to trees and writes them to the log, in one order.
///
/// The order of a commit:
///
/// 1. Look for the leaf, if it is one change.
/// 2. Wait if the throttle requires it.
/// 3. Take the write locks of its spaces in the order of their ids, and enter the gate.
/// 4. Prepare (copy, free capacity), reserve the place in the log, and apply.
/// 5. Leave the locks and the gate.
/// 6. Write the record in the log, and wait for its durability.
///
/// Preparing and reserving never wait: if a page is missing or the log has no capacity, all is
/// released. The page is loaded or the capacity awaited, and the commit starts again. So no lock is
/// held across I/O, and a commit that cannot be logged has no effect.
///
/// Each commit begins with a probe of the stack (STACK-1). (COMMITTER-1) What breaks off in spite
/// of that, once nodes were replaced or a place was reserved, fails the log and ends the trees.
///
/// (COMMITTER-2) Whether the store is open is asked inside the gate, which a close shuts once: a
/// thread that is inside after that finds the store closed, and no commit comes after the last
/// checkpoint.
public final class Committer {
  /// A space that is made adds an empty leaf and its place in the catalog.
  private static final long DEFINITION_GROWTH_BYTES = 1024;

  private final Epochs epochs;
  private final CommitGate gate;
  private final CommitOrder order;
  private final CommitLog log;
  private final Lifecycle lifecycle;
  private final Durability defaultDurability;
  private final Throttle throttle;
  private final AloneRuns aloneRuns;
  private final Retries retries;
  private final RunningBodies bodies = new RunningBodies();

  private final LargeValues.Capacity valueCapacity =
      new LargeValues.Capacity() {
        @Override
        public long admit(long bytes) {
          return throttle.beforeImage(bytes);
        }

        @Override
        public void ended(long admittedBytes) {
          throttle.afterCommit(admittedBytes);
        }

        @Override
        public boolean free(long bytes, int attempts) {
          return throttle.freeForImage(bytes, attempts);
        }
      };

  /// @param throttle admits commits, or slows or refuses them
  public Committer(
      CommitContext context, Durability defaultDurability, Throttle throttle, Clock clock) {
    this.epochs = context.epochs();
    this.gate = context.gate();
    this.order = context.order();
    this.log = context.log();
    this.lifecycle = context.lifecycle();
    this.defaultDurability = defaultDurability;
    this.throttle = throttle;
    this.aloneRuns = new AloneRuns(clock, lifecycle);
    this.retries = new Retries(log, throttle);
  }

  /// What large values are written with, before they are committed.
  LargeValues.Capacity valueCapacity() {
    return valueCapacity;
  }

  Epochs epochs() {
    return epochs;
  }

  CommitGate gate() {
    return gate;
  }

  CommitLog log() {
    return log;
  }

  Lifecycle lifecycle() {
    return lifecycle;
  }

  /// What commits wait for between their attempts.
  Retries retries() {
    return retries;
  }

  /// The transactions that run alone.
  public AloneRuns aloneRuns() {
    return aloneRuns;
  }

  /// Whether the calling thread runs the body of a transaction.
  public boolean isInBody() {
    return bodies.isEntered();
  }

  RunningBodies bodies() {
    return bodies;
  }

  Durability defaultDurability() {
    return defaultDurability;
  }

  /// How far the commits have come.
  public CommitOrder order() {
    return order;
  }

  /// @throws IllegalArgumentException if a store of this kind cannot give that durability
  void requireSupported(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    if (log.isDurable() && durability == Durability.NONE) {
      throw new IllegalArgumentException(
          "durability NONE is for stores in memory: a commit that no log holds would break the"
              + " order in which commits survive; use BACKGROUND");
    }
  }

  /// Puts or deletes one key, whatever it holds.
  ///
  /// @param change what to do
  /// @param grows whether it may add to the store, and so must find capacity
  /// @return the LSN; the record is written in the log, but not awaited
  long applyOne(SpaceCore space, OneChange change, boolean grows) {
    StackProbe.require();
    CommitEvent event = Events.commit();
    NeededPages needed = new NeededPages();
    long bodyBytes = change.bodyBytes();
    long dirtyingBytes = change.dirtyingBytes(space, grows);
    try {
      for (int attempts = 0; ; attempts++) {
        awaitFree(space.writeLock());
        Approach approach = approach(space, change, needed);
        long admitted = throttle.beforeCommit(dirtyingBytes, bodyBytes, grows);
        long start = CommitOutcome.NOT_RESERVED;
        try {
          if (!space.writeLock().lock()) {
            continue;
          }
          start = applyLocked(space, change, approach, bodyBytes, needed, Way.PATIENT);
        } finally {
          throttle.afterCommit(admitted);
        }
        if (CommitOutcome.isLsn(start)) {
          long commit = writeRecord(start, bodyBytes, change::write);
          bodies.committed(space, change.key());
          return reported(event, commit, space, 1, bodyBytes);
        }
        if (start == CommitOutcome.NOT_AS_EXPECTED) {
          return start;
        }
        retries.await(space.tree().pages(), needed, bodyBytes, grows, attempts);
      }
    } finally {
      log.endPriority();
    }
  }

  /// Finds the leaf of a change before its lock is taken, and loads what is missing of the way.
  private static @Nullable Approach approach(
      SpaceCore space, OneChange change, NeededPages needed) {
    while (true) {
      space.requireUsable(); // what is loaded of a dropped tree might be another's pages
      Approach approach = change.approach(space.writer(), needed);
      if (!needed.areMissing()) {
        return approach;
      }
      needed.load(space.tree().pages());
    }
  }

  /// Puts or deletes one key as [#applyOne] does, but waits for nothing: neither for the throttle,
  /// a lock, the gate or a page, nor for capacity in the log.
  ///
  /// @param change one whose record fits a frame
  /// @return the LSN, or [CommitOutcome#NOT_AS_EXPECTED], or [CommitOutcome#NOT_NOW]
  long applyOneNow(SpaceCore space, OneChange change, boolean grows) {
    StackProbe.require();
    CommitEvent event = Events.commit();
    long bodyBytes = change.bodyBytes();
    long admitted = throttle.tryBeforeCommit(change.dirtyingBytes(space, grows), grows);
    if (admitted == Throttle.NOT_NOW) {
      return CommitOutcome.NOT_NOW;
    }
    NeededPages needed = new NeededPages();
    long start = CommitOutcome.NOT_RESERVED;
    try {
      Approach approach = change.approach(space.writer(), needed);
      if (space.writeLock().tryLock()) {
        start = applyLocked(space, change, approach, bodyBytes, needed, Way.NOW);
      }
    } finally {
      throttle.afterCommit(admitted);
    }
    if (CommitOutcome.isLsn(start)) {
      long commit = writeRecord(start, bodyBytes, change::write);
      bodies.committed(space, change.key());
      return reported(event, commit, space, 1, bodyBytes);
    }
    return start == CommitOutcome.NOT_RESERVED ? CommitOutcome.NOT_NOW : start;
  }

  private static long reported(
      @Nullable CommitEvent event, long commit, SpaceCore space, int spaces, long bodyBytes) {
    if (event != null) {
      String store = space.tree().pages().file().where();
      event.applied(commit, store, space.name(), spaces, bodyBytes);
    }
    return commit;
  }

  /// Puts a value again as [#applyOne] does, but waits neither for the lock of the space nor for
  /// capacity in the log. It is for threads that others may wait for. The change is not reported to
  /// the watches of the space.
  ///
  /// @return the LSN, or [CommitOutcome#NOT_AS_EXPECTED], or [CommitOutcome#NOT_NOW]
  long tryApplyOne(SpaceCore space, OneChange change) {
    StackProbe.require();
    NeededPages needed = new NeededPages();
    long bodyBytes = change.bodyBytes();
    while (true) {
      if (!space.writeLock().tryLock()) {
        return CommitOutcome.NOT_NOW;
      }
      long start = applyLocked(space, change, null, bodyBytes, needed, Way.UNTOLD);
      if (CommitOutcome.isLsn(start)) {
        return writeRecord(start, bodyBytes, change::write);
      }
      if (start == CommitOutcome.NOT_AS_EXPECTED) {
        return start;
      }
      if (!needed.areMissing()) {
        return CommitOutcome.NOT_NOW;
      }
      needed.load(space.tree().pages());
    }
  }

  /// How a single change is committed.
  private enum Way {
    /// It waits for the gate.
    PATIENT,

    /// It waits for nothing.
    NOW,

    /// It waits for the gate, and is not reported to the watches of the space.
    UNTOLD
  }

  /// Applies a change under the lock of its space, which the calling thread has taken, and releases
  /// the lock. What need not be under it comes before or after.
  ///
  /// @param approach what was found before, or null
  /// @return the place reserved, or [CommitOutcome#NOT_AS_EXPECTED], or
  ///   [CommitOutcome#NOT_RESERVED]
  private long applyLocked(
      SpaceCore space,
      OneChange change,
      @Nullable Approach approach,
      long bodyBytes,
      NeededPages needed,
      Way way) {
    long start = CommitOutcome.NOT_RESERVED;
    try {
      boolean isInside = false;
      try {
        try {
          isInside = enter(way);
          if (isInside) {
            start = applyInside(space, change, approach, bodyBytes, needed, way != Way.UNTOLD);
          }
        } finally {
          space.writeLock().unlock();
        }
        if (CommitOutcome.isLsn(start)) {
          order.applied(log.endOf(start, bodyBytes));
        }
      } finally {
        if (isInside) {
          gate.exit();
        }
      }
    } catch (Error e) {
      abandon(start, e);
      throw e;
    }
    return start;
  }

  private boolean enter(Way way) {
    if (way == Way.NOW) {
      return gate.tryEnter();
    }
    gate.enter();
    return true;
  }

  /// Applies a change under the lock of its space and inside the gate, unless pages or capacity in
  /// the log are missing.
  ///
  /// @param reports whether the change is reported to the watches of the space
  /// @return the place reserved, or [CommitOutcome#NOT_AS_EXPECTED], or
  ///   [CommitOutcome#NOT_RESERVED]
  private long applyInside(
      SpaceCore space,
      OneChange change,
      @Nullable Approach approach,
      long bodyBytes,
      NeededPages needed,
      boolean reports) {
    long start = CommitOutcome.NOT_RESERVED;
    try {
      space.requireUsable(); // (COMMITTER-2)
      order.noteChange();
      if (!space.indexes().areStill(change.indexing())) {
        return CommitOutcome.NOT_AS_EXPECTED; // INDEXES-2
      }
      if (reports && !log.mayReserve()) {
        return start; // what is prepared now would be dirty for nothing
      }
      TreeWriter writer = space.writer();
      long epoch = epochs.current();
      if (change.prepare(writer, approach, epoch, needed)) {
        if (change.isConditional() && !Objects.equals(writer.found(), change.expected())) {
          return CommitOutcome.NOT_AS_EXPECTED;
        }
        Watches watches = reports ? space.watches() : Watches.NONE;
        watches.expect(change.key(), change.value(), writer);
        start = reports ? reserve(bodyBytes) : reserveForStore(bodyBytes);
        if (CommitOutcome.isLsn(start)) {
          change.apply(writer, epoch);
          watches.tell(log.endOf(start, bodyBytes));
        }
      }
      return start;
    } catch (RuntimeException | Error e) {
      if (CommitOutcome.isLsn(start) || space.writer().isHalfDone()) {
        space.poison(e);
        log.fail(e);
      }
      space.writer().forget();
      throw e;
    }
  }

  private long reserve(long bodyBytes) {
    long start = log.tryReserve(bodyBytes);
    return CommitOutcome.isLsn(start) ? start : CommitOutcome.NOT_RESERVED;
  }

  private long reserveForStore(long bodyBytes) {
    long start = log.tryReserveForStore(bodyBytes);
    return CommitOutcome.isLsn(start) ? start : CommitOutcome.NOT_RESERVED;
  }

  /// Waits until no other transaction runs alone over the space of `lock`.
  private void awaitFree(WriteLock lock) {
    if (lock.reservedByAnother() != null) {
      log.endPriority(); // (PRIORITY-2)
      aloneRuns.awaitFree(lock);
    }
  }

  /// Fails the log for a commit that was applied, and whose record will not be written: nothing
  /// after the place reserved for it could ever become durable.
  private void abandon(long start, Throwable cause) {
    if (CommitOutcome.isLsn(start)) {
      log.fail(cause);
    }
  }

  /// Writes the record of an applied commit in the log.
  ///
  /// @return the LSN
  private long writeRecord(long start, long bodyBytes, Consumer<RecordSink> record) {
    try {
      log.write(start, bodyBytes, record);
      return log.endOf(start, bodyBytes);
    } catch (RuntimeException | Error e) {
      abandon(start, e);
      throw e;
    }
  }

  /// Waits until the promise of `durability` holds for a commit that the calling method has
  /// applied. The stack was probed for that, and the wait takes no more of it.
  Commit await(long commit, Durability durability) {
    CommitWaitEvent event = Events.commitWait();
    log.await(commit, durability);
    if (event != null) {
      event.done(commit, durability);
    }
    return new Commit(commit);
  }

  /// Gives the commit when the promise of `durability` holds for the commit. The caller has probed
  /// the stack, as that of [#await] has.
  public CompletionStage<Commit> whenDurable(long commit, Durability durability) {
    return log.whenDurable(commit, durability).thenApply(_ -> new Commit(commit));
  }

  /// Waits until the commit would survive loss of power.
  public void awaitDurable(long commit) {
    StackProbe.require();
    log.await(commit, Durability.POWER_LOSS);
  }

  /// Applies the writes of a transaction together, if its reads still hold.
  ///
  /// @param writes per space, by id
  /// @param reads what must not have changed, by id of the space
  /// @param memory takes the bytes of pages that have to be loaded, and may refuse them
  /// @return the LSN; the record is written in the log, but not awaited; or
  ///   [CommitOutcome#NOT_AS_EXPECTED] if indexes, or a key, are not as the writes expect them
  /// @throws io.varve.ConflictException if a read does not hold any more
  long applyAll(
      List<SpaceWrites> writes, List<SpaceCore> lockOrder, ReadCheck reads, LongConsumer memory) {
    StackProbe.require();
    CommitEvent event = Events.commit();
    long bodyBytes = 0;
    long dirtyingBytes = 0;
    boolean grows = false;
    for (SpaceWrites space : writes) {
      bodyBytes += space.bodyBytes();
      dirtyingBytes += space.dirtyingBytes();
      grows |= space.grows();
    }
    NeededPages needed = new NeededPages(memory);
    try {
      for (int attempts = 0; ; attempts++) {
        lockOrder.forEach(space -> awaitFree(space.writeLock()));
        long admitted = throttle.beforeCommit(dirtyingBytes, bodyBytes, grows);
        long start = CommitOutcome.NOT_RESERVED;
        try {
          reads.check();
          start = tryApplyAll(writes, lockOrder, reads, bodyBytes, needed);
        } catch (Error e) {
          abandon(start, e);
          throw e;
        } finally {
          throttle.afterCommit(admitted);
        }
        if (CommitOutcome.isLsn(start)) {
          long commit =
              writeRecord(start, bodyBytes, sink -> writes.forEach(space -> space.write(sink)));
          bodies.committed(writes);
          return reported(event, commit, lockOrder.getFirst(), lockOrder.size(), bodyBytes);
        }
        if (start == CommitOutcome.NOT_AS_EXPECTED) {
          return start;
        }
        if (start == CommitOutcome.MOVED) {
          continue; // nothing is missing: the reads are checked again
        }
        retries.await(lockOrder.getFirst().tree().pages(), needed, bodyBytes, grows, attempts);
      }
    } finally {
      log.endPriority();
    }
  }

  /// Applies the writes of a transaction together, if the pages are in memory and the log has
  /// capacity.
  ///
  /// @return where to write the record, or less than 0: [CommitOutcome#NOT_AS_EXPECTED], or
  ///   [CommitOutcome#MOVED], or capacity is missing
  private long tryApplyAll(
      List<SpaceWrites> writes,
      List<SpaceCore> lockOrder,
      ReadCheck reads,
      long bodyBytes,
      NeededPages needed) {
    long start = CommitOutcome.NOT_RESERVED;
    if (!WriteLocks.lockAll(lockOrder)) {
      return start;
    }
    try {
      if (!reads.checkLocked()) {
        return CommitOutcome.MOVED;
      }
      gate.enter();
      try {
        order.noteChange();
        if (!PlannedWrites.haveSameIndexes(writes)) {
          return CommitOutcome.NOT_AS_EXPECTED; // INDEXES-2
        }
        lockOrder.forEach(SpaceCore::requireUsable); // (COMMITTER-2)
        long epoch = epochs.current();
        PlannedWrites plan = new PlannedWrites(writes);
        // What is prepared is dirty, applied or not: of a long range of deletes more than a
        // checkpoint may find capacity for, which would have to free capacity in the log.
        if (log.hasCapacity(bodyBytes) && plan.prepare(epoch, needed)) {
          if (!plan.isAsExpected()) {
            return CommitOutcome.NOT_AS_EXPECTED;
          }
          plan.expect();
          start = reserve(bodyBytes);
          if (CommitOutcome.isLsn(start)) {
            plan.apply(epoch, log.endOf(start, bodyBytes));
            order.applied(log.endOf(start, bodyBytes));
          }
        }
      } catch (RuntimeException | Error e) {
        if (PlannedWrites.poison(writes, CommitOutcome.isLsn(start), e)) {
          log.fail(e);
        }
        throw e;
      } finally {
        gate.exit();
      }
    } finally {
      WriteLocks.unlockAll(lockOrder);
    }
    return start;
  }

  /// Runs a change of the set of spaces as a commit: `apply` alone is inside the gate.
  ///
  /// @return the LSN; the record is written in the log, but not awaited
  long applyDefinition(DefinitionChange change) {
    while (true) {
      long admitted =
          throttle.beforeCommit(
              DEFINITION_GROWTH_BYTES + change.bodyBytes(), change.bodyBytes(), /* grows= */ true);
      long commit;
      try {
        commit = tryApplyDefinition(change);
      } finally {
        throttle.afterCommit(admitted);
      }
      if (commit != CommitOutcome.NO_CAPACITY) {
        return commit;
      }
      log.awaitCapacityForStore(change.bodyBytes());
    }
  }

  /// Runs a change of the set of spaces as a commit, if the log has capacity now.
  ///
  /// @return the LSN, or [CommitOutcome#NO_CAPACITY]
  long tryApplyDefinition(DefinitionChange change) {
    StackProbe.require();
    long bodyBytes = change.bodyBytes();
    long start = CommitOutcome.NOT_RESERVED;
    gate.enter();
    try {
      lifecycle.requireOpen();
      order.noteChange();
      start = reserveForStore(bodyBytes);
      if (CommitOutcome.isLsn(start)) {
        change.apply(epochs.current());
        if (change.isNote()) {
          order.reached(log.endOf(start, bodyBytes));
        } else {
          order.applied(log.endOf(start, bodyBytes));
        }
      }
    } catch (RuntimeException | Error e) {
      abandon(start, e);
      throw e;
    } finally {
      gate.exit();
    }
    return CommitOutcome.isLsn(start)
        ? writeRecord(start, bodyBytes, change::write)
        : CommitOutcome.NO_CAPACITY;
  }
}
