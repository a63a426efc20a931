package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// After a failed force or write the store fails and reports it, acknowledges nothing more, and is
/// repaired by reopening (D4).
@Tag("slow")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedForceTest {
  @Test
  void failedForceFailsTheStoreUntilItIsReopenedD4() {
    run(40, call -> call.operation() == DiskOperation.FORCE, Fault.IO_ERROR);
  }

  @Test
  void failedWriteFailsTheStoreUntilItIsReopenedD4() {
    run(40, call -> call.operation() == DiskOperation.WRITE, Fault.IO_ERROR);
  }

  @Test
  void tornWriteFailsTheStoreUntilItIsReopenedD4() {
    run(40, call -> call.operation() == DiskOperation.WRITE, Fault.TORN);
  }

  @Test
  void anyFailingCallKeepsD1D2D3() {
    run(100, call -> call.operation().isMutating(), Fault.IO_ERROR);
  }

  /// Guards against building on log that only the system's cache shows: the force that should have
  /// made it durable failed, and another one changes nothing. What an open finds must be there
  /// after a loss of power as well, and so must what follows it.
  @Test
  void whatAnOpenFindsAfterAFailedForceSurvivesLossOfPowerD3() {
    Seeds.forEach(
        60,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          disk.faults(
              FaultPlan.nth(
                  1 + seed % 3,
                  call ->
                      call.operation() == DiskOperation.FORCE && call.name().startsWith("log/0"),
                  Fault.IO_ERROR));
          try (Store failing = SimulatedStore.open(disk, Stores.tiny())) {
            failing.space("s").with(Durability.BACKGROUND).put(Bytes.of(1), Bytes.of(1));
            failing.awaitDurable(failing.lastCommit());
          } catch (VarveException _) {
            // the force failed, here or later
          }
          disk.faults(FaultPlan.none());
          Store store = SimulatedStore.open(disk, Stores.tiny());
          byte[] found = store.space("s").get(Bytes.of(1));
          store.space("s").with(Durability.POWER_LOSS).put(Bytes.of(2), Bytes.of(2));
          for (int cut = 0; cut < 4; cut++) {
            try (Store after = SimulatedStore.open(disk.copy().powerCut(), Stores.tiny())) {
              assertThat(after.space("s").get(Bytes.of(1))).isEqualTo(found);
              assertThat(after.space("s").get(Bytes.of(2))).isEqualTo(Bytes.of(2));
            }
          }
          store.close();
        });
  }

  private static void run(int count, Predicate<DiskCall> calls, Fault fault) {
    Seeds.forEach(count, seed -> new History(seed).run(calls, fault));
  }

  private static final class History {
    private final SplittableRandom random;
    private final PrefixOracle oracle = new PrefixOracle();
    private final List<TrackedWriter> tracked = new ArrayList<>();
    private final List<RandomCommits> scripts = new ArrayList<>();
    private final boolean encrypted;
    private SimulatedDisk disk;

    History(long seed) {
      random = new SplittableRandom(seed);
      encrypted = Stores.isEncrypted(seed);
      disk = new SimulatedDisk(seed);
      for (int i = 0; i < 3; i++) {
        String prefix = "w" + i + "/";
        tracked.add(oracle.writer(prefix));
        scripts.add(new RandomCommits(seed, prefix, Workload.small()));
      }
    }

    void run(Predicate<DiskCall> calls, Fault fault) throws Exception {
      for (int round = 0; round < 3; round++) {
        Store store = SimulatedStore.open(disk, Stores.random(random, encrypted));
        settle(store, round);
        commitUntilFailure(store, calls, fault);
      }
      disk.faults(FaultPlan.none());
      try (Store store = SimulatedStore.open(disk, Stores.random(random, encrypted))) {
        settle(store, 3);
      }
    }

    private void settle(Store store, int round) {
      Model recovered = Model.of(store);
      store.verify().requireSound();
      oracle.settle(recovered, round == 0 ? Crash.CLEAN_CLOSE : crash);
      scripts.forEach(script -> script.resume(recovered));
    }

    private Crash crash = Crash.CLEAN_CLOSE;

    private void commitUntilFailure(Store store, Predicate<DiskCall> calls, Fault fault)
        throws Exception {
      disk.faults(FaultPlan.nth(1 + random.nextInt(1 << random.nextInt(8)), calls, fault));
      Threads threads = new Threads();
      for (int i = 0; i < scripts.size(); i++) {
        RandomCommits script = scripts.get(i);
        TrackedWriter writer = tracked.get(i);
        threads.start(() -> commitMany(store, script, writer));
      }
      threads.join();
      Model shown = Model.of(store); // reads continue
      boolean failed = isFailed(store);
      if (!failed) {
        shown.requireEqual(Model.of(store), "no commit was under way");
      }
      disk.faults(FaultPlan.none());
      if (failed) {
        requireStaysFailed(store);
      }
      crash = random.nextBoolean() ? Crash.POWER : Crash.PROCESS;
      SimulatedDisk next = crash == Crash.POWER ? disk.powerCut() : disk.processCrash();
      try {
        store.close();
      } catch (CorruptStoreException e) {
        throw e;
      } catch (VarveException e) {
        // Its disk is off; that it returned is what counts.
      }
      disk = next;
    }

    private void commitMany(Store store, RandomCommits script, TrackedWriter writer) {
      try {
        for (int i = 0; i < 60; i++) {
          RandomCommit commit = script.next();
          script.accept(commit);
          commit.runOn(store, writer.begin(commit.changes()));
          if (i % 20 == 10) {
            store.checkpoint();
          }
        }
      } catch (StoreFailedException e) {
        assertThat(e).hasRootCauseInstanceOf(java.io.IOException.class);
      }
    }

    private static boolean isFailed(Store store) {
      try {
        store.transact(Durability.POWER_LOSS, tx -> tx.delete(store.space("a"), Bytes.of("none")));
        return false;
      } catch (StoreFailedException e) {
        return true;
      }
    }

    /// The disk works again; the store must not believe it.
    private static void requireStaysFailed(Store store) {
      for (Durability durability :
          List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND)) {
        assertThatThrownBy(
                () -> {
                  Space space = store.findSpace("a");
                  if (space == null) {
                    space = store.space("a");
                  }
                  space.with(durability).put(Bytes.of("w0/x"), Bytes.of("y"));
                })
            .isInstanceOf(StoreFailedException.class);
      }
    }
  }
}
