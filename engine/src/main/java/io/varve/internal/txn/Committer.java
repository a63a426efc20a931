package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.internal.page.Node;
import io.varve.internal.tree.BatchPlan;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.wal.RecordSink;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Applies commits to trees and lays them in the log, in one order.
///
/// The order of a commit: wait if the throttle says so; take the write locks of its spaces in the
/// order of their ids; enter the gate; prepare (copy, make room); reserve the place in the log; apply;
/// leave the gate and the locks; lay the record in the log; wait for its durability. Preparing and
/// reserving never wait: if a page is missing or the log has no room, all is let go, the page is
/// loaded or the room awaited, and the commit starts again. So no lock is held across I/O, and a
/// commit that cannot be logged has no effect.
public final class Committer {
  private static final long NOT_RESERVED = -2;

  private final Epochs epochs;
  private final CommitGate gate;
  private final CommitLog log;
  private final Throttle throttle;
  private final Lifecycle lifecycle;
  private final Durability defaultDurability;
  private final LongAdder commits = new LongAdder();
  private final AtomicLong lastCommit = new AtomicLong();

  /// Whether a commit was applied since the current epoch began. Set inside the gate before the
  /// commit looks at the live epochs; cleared while the gate is shut.
  private volatile boolean changedInEpoch;

  /// Makes the committer of a store.
  public Committer(
      Epochs epochs,
      CommitGate gate,
      CommitLog log,
      Throttle throttle,
      Lifecycle lifecycle,
      Durability defaultDurability) {
    this.epochs = epochs;
    this.gate = gate;
    this.log = log;
    this.throttle = throttle;
    this.lifecycle = lifecycle;
    this.defaultDurability = defaultDurability;
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

  Durability defaultDurability() {
    return defaultDurability;
  }

  /// Commits applied since the store was opened.
  public long commits() {
    return commits.sum();
  }

  /// The LSN of the newest commit applied.
  public long lastCommit() {
    return lastCommit.get();
  }

  /// Starts the commit order after what a recovery replayed.
  public void resume(long lastLsn) {
    lastCommit.set(lastLsn);
    changedInEpoch = true;
  }

  boolean changedInEpoch() {
    return changedInEpoch;
  }

  /// Notes that a new epoch begins. The gate is shut.
  void epochBegins() {
    changedInEpoch = false;
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
  /// @return the LSN; the record is laid in the log, but not awaited
  long applyOne(LiveSpace space, OneChange change) {
    while (true) {
      throttle.beforeCommit();
      Node missing = null;
      long start = NOT_RESERVED;
      space.lock().lock();
      try {
        lifecycle.requireOpen();
        space.requireLive();
        gate.enter();
        try {
          noteChange();
          TreeWriter writer = space.writer();
          long epoch = epochs.current();
          if (!change.prepare(writer, epoch)) {
            missing = writer.missing();
          } else {
            StoredValue expected = change.expected();
            if (change.isConditional() && !Objects.equals(writer.found(), expected)) {
              return OneChange.NOT_AS_EXPECTED;
            }
            start = log.tryReserve(change.bodyBytes());
            if (start >= 0) {
              change.apply(writer, epoch);
            }
          }
        } catch (RuntimeException | Error e) {
          throw failed(e, start);
        } finally {
          gate.exit();
        }
      } finally {
        space.lock().unlock();
      }
      if (missing != null) {
        space.writer().loadMissing(missing);
      } else if (start == CommitLog.NO_ROOM) {
        log.awaitRoom(change.bodyBytes());
      } else {
        RecordSink sink = log.sink(start, change.bodyBytes());
        if (sink != null) {
          change.write(sink);
          sink.publish();
        }
        return applied(log.endOf(start, change.bodyBytes()));
      }
    }
  }

  void noteChange() {
    if (!changedInEpoch) {
      changedInEpoch = true;
    }
  }

  /// A change that broke off half-way leaves memory in an unknown state: the log must not go on.
  private RuntimeException failed(Throwable cause, long start) {
    if (start >= 0) {
      log.fail(cause);
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) cause;
  }

  private long applied(long end) {
    commits.increment();
    long last = lastCommit.get();
    while (last < end && !lastCommit.compareAndSet(last, end)) {
      last = lastCommit.get();
    }
    return end;
  }

  /// Waits until the promise of `durability` holds for a commit.
  long await(long commit, Durability durability) {
    log.await(commit, durability);
    return commit;
  }

  /// Gives the LSN when the promise of `durability` holds for the commit.
  public CompletionStage<Long> whenDurable(long commit, Durability durability) {
    return log.whenDurable(commit, durability).thenApply(_ -> commit);
  }

  /// Waits until the commit would survive loss of power.
  public void awaitDurable(long commit) {
    log.await(commit, Durability.POWER_LOSS);
  }

  /// Applies the writes of a transaction together, if its reads still hold.
  ///
  /// @param writes per space, by id
  /// @param reads what must not have changed, by id of the space
  /// @return the LSN; the record is laid in the log, but not awaited
  /// @throws io.varve.ConflictException if a read does not hold any more
  long applyAll(List<SpaceWrites> writes, List<LiveSpace> lockOrder, ReadCheck reads) {
    long bodyBytes = 0;
    for (SpaceWrites space : writes) {
      bodyBytes += space.bodyBytes();
    }
    while (true) {
      throttle.beforeCommit();
      reads.check();
      lockOrder.forEach(space -> space.lock().lock());
      MissingPage missing = null;
      long start = NOT_RESERVED;
      try {
        lifecycle.requireOpen();
        lockOrder.forEach(LiveSpace::requireLive);
        reads.check();
        gate.enter();
        try {
          noteChange();
          long epoch = epochs.current();
          BatchPlan[] plans = new BatchPlan[writes.size()];
          missing = prepare(writes, plans, epoch);
          if (missing == null) {
            start = log.tryReserve(bodyBytes);
            if (start >= 0) {
              apply(writes, plans, epoch);
            }
          }
        } catch (RuntimeException | Error e) {
          throw failed(e, start);
        } finally {
          gate.exit();
        }
      } finally {
        lockOrder.reversed().forEach(space -> space.lock().unlock());
      }
      if (missing != null) {
        missing.load();
      } else if (start == CommitLog.NO_ROOM) {
        log.awaitRoom(bodyBytes);
      } else {
        RecordSink sink = log.sink(start, bodyBytes);
        if (sink != null) {
          writes.forEach(space -> space.write(sink));
          sink.publish();
        }
        return applied(log.endOf(start, bodyBytes));
      }
    }
  }

  private record MissingPage(TreeWriter writer, Node node) {
    void load() {
      writer.loadMissing(node);
    }
  }

  private static @Nullable MissingPage prepare(
      List<SpaceWrites> writes, BatchPlan[] plans, long epoch) {
    for (int i = 0; i < plans.length; i++) {
      TreeWriter writer = writes.get(i).space().writer();
      BatchPlan plan = writer.prepare(writes.get(i), epoch);
      if (plan == null) {
        return new MissingPage(writer, writer.missing());
      }
      plans[i] = plan;
    }
    return null;
  }

  /// Makes all changes visible together: every leaf is shut before the first changes, and opened
  /// after the last has changed.
  private static void apply(List<SpaceWrites> writes, BatchPlan[] plans, long epoch) {
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().begin(plans[i]);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().apply(plans[i], writes.get(i), epoch);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().end(plans[i]);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().tidy(writes.get(i), epoch);
    }
  }

  /// Runs a change of the set of spaces as a commit: `apply` alone is inside the gate.
  ///
  /// @return the LSN; the record is laid in the log, but not awaited
  long applyDefinition(DefinitionChange change) {
    while (true) {
      lifecycle.requireOpen();
      long start;
      gate.enter();
      try {
        noteChange();
        start = log.tryReserve(change.bodyBytes());
        if (start != CommitLog.NO_ROOM) {
          change.apply(epochs.current());
        }
      } finally {
        gate.exit();
      }
      if (start == CommitLog.NO_ROOM) {
        log.awaitRoom(change.bodyBytes());
        continue;
      }
      RecordSink sink = log.sink(start, change.bodyBytes());
      if (sink != null) {
        change.write(sink);
        sink.publish();
      }
      return applied(log.endOf(start, change.bodyBytes()));
    }
  }

  /// A change of the set of spaces.
  interface DefinitionChange {
    long bodyBytes();

    void apply(long epoch);

    void write(RecordSink sink);
  }

  /// Says whether what a transaction read still holds.
  @FunctionalInterface
  interface ReadCheck {
    /// @throws io.varve.ConflictException if it does not
    void check();
  }
}
