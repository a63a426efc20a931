package io.varve.internal.salvage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.admin.Salvage;
import io.varve.test.DiskCall;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a salvage had taken until it broke off, or was killed, opened as if it were all.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnfinishedSalvageTest {
  private static final int ENTRIES = 500;

  /// More than a salvage of this store makes.
  private static final int PAGE_WRITES_MAX = 24;

  private static final Predicate<DiskCall> WRITES_PAGES =
      call -> call.operation() == DiskOperation.WRITE && call.name().equals("pages");

  private static final StoreOptions TINY =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));

  private static void fill(Store store) {
    Space space = store.space("s");
    store.transact(tx -> {
      for (int i = 0; i < ENTRIES; i++) {
        tx.put(space, ("key" + i).getBytes(UTF_8), new byte[20]);
      }
    });
  }

  @Test
  void whatAnUnfinishedSalvageLeavesIsRefused(@TempDir Path directory) {
    Path damaged = directory.resolve("damaged");
    try (Store store = Store.open(damaged, TINY)) {
      fill(store);
    }
    Path target = directory.resolve("target");
    assertThatThrownBy(() ->
            Salvage.of(damaged)
                .into(
                    target,
                    (_, _) -> {
                      throw new IllegalStateException("broken off");
                    }))
        .hasMessage("broken off");
    for (StoreOptions options : List.of(TINY, TINY.createIfMissing(false), TINY.readOnly(true))) {
      assertThatThrownBy(() -> Store.open(target, options))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("a salvage into this directory was not finished");
    }
    assertThatThrownBy(() -> Salvage.of(target).into(directory.resolve("other")))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("was not finished");
    assertThat(directory.resolve("other")).doesNotExist();
  }

  /// (SALVAGER-1) Cuts the power at each call of a salvage in turn, and opens what that leaves.
  @Test
  void aSalvageThatIsCutShortLeavesAllOrNothing() {
    SimulatedDisk damaged = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(damaged, TINY)) {
      fill(store);
    }
    int refused = 0;
    boolean isDone = false;
    for (long call = 1; !isDone; call++) {
      SimulatedDisk target = new SimulatedDisk(call);
      target.cutPowerAtCall(call);
      isDone = isSalvaged(damaged.copy(), target);
      for (SimulatedDisk left : List.of(target.powerCut(), target.processCrash())) {
        try (Store store = SimulatedStore.open(left, TINY.createIfMissing(false))) {
          assertThat(store.space("s").count(Range.all())).as("call %d", call).isEqualTo(ENTRIES);
        } catch (StoreIoException _) {
          assertThat(isDone).as("call %d", call).isFalse();
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(20);
  }

  /// (SALVAGER-2) Loses each write of a page in turn. What wrote it has no reason to read it.
  @Test
  void aSalvageWhosePagesTheDiskLostIsRefusedOrWhole() {
    SimulatedDisk damaged = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(damaged, TINY)) {
      fill(store);
    }
    int refused = 0;
    for (int lost = 1; lost <= PAGE_WRITES_MAX; lost++) {
      SimulatedDisk target = new SimulatedDisk(lost);
      target.faults(FaultPlan.nth(lost, WRITES_PAGES, Fault.DROPPED));
      try {
        SimulatedStore.salvage(damaged.copy(), target, TINY);
      } catch (CorruptStoreException e) {
        assertThat(e).hasMessageContaining("pages");
        refused++;
        continue;
      }
      try (Store store = SimulatedStore.open(target, TINY)) {
        assertThat(store.space("s").count(Range.all())).as("write %d", lost).isEqualTo(ENTRIES);
        store.verify().requireSound();
      }
    }
    assertThat(refused).isPositive(); // pages are written together, so it may be one write
  }

  private static boolean isSalvaged(SimulatedDisk damaged, SimulatedDisk target) {
    try {
      SimulatedStore.salvage(damaged, target, TINY);
      return true;
    } catch (StoreIoException | StoreFailedException _) {
      return false;
    }
  }
}
