package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.SCORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever ends a store, the next open finds a table and its indexes in agreement: rows of a whole
/// number of commits, none of those missing that were acknowledged.
class IndexCrashTest {
  private static final QueryTable<Long, Sample> SAMPLES =
      QueryTable.of(Sample.TABLE, Sample.ENTITY)
          .index("city", "age desc")
          .index("tags")
          .uniqueIndex("number");

  /// Made in the middle of the changes.
  private static final QueryTable<Long, Sample> MORE = SAMPLES.index("score").index("text");

  /// Small files, so that checkpoints and new segments are among what is cut off.
  private static final StoreOptions SMALL =
      StoreOptions.defaults()
          .durability(Durability.POWER_LOSS)
          .log(log -> log.bufferBytes(1 << 18).segmentBytes(1 << 18).bytesMax(1 << 20));

  private static final int STEPS = 60;
  private static final int KEYS = 40;

  /// How a store ends.
  enum End {
    POWER_CUT,
    PROCESS_CRASH,
    FAILED_FORCE,
    FULL_DISK
  }

  @ParameterizedTest
  @EnumSource
  void rowsAndIndexesAgree(End end) {
    long calls = callsOfAll();
    for (long seed = 0; seed < 40; seed++) {
      var disk = new SimulatedDisk(seed);
      // Spread over all calls, but those that make the store.
      long call = 20 + seed * (calls - 20) / 40;
      plan(disk, end, call);
      var steps = new Steps(seed);
      try (Store store = SimulatedStore.open(disk, SMALL)) {
        steps.runOn(store);
      } catch (VarveException e) {
        // It has ended, and is opened again.
      }
      SimulatedDisk after = end == End.PROCESS_CRASH ? disk.processCrash() : disk.powerCut();
      after.faults(FaultPlan.none());
      after.capacityBytes(Long.MAX_VALUE);
      try (Store store = SimulatedStore.open(after, SMALL)) {
        requireAgreement(store, steps, "end=" + end + ", seed=" + seed + ", call=" + call);
      }
    }
  }

  /// A salvage takes the rows and leaves the entries of indexes out: the next open builds these.
  @Test
  void indexesAreBuiltAgainAfterASalvage() {
    var disk = new SimulatedDisk(1);
    var steps = new Steps(1);
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      steps.runOn(store);
      assertThat(store.indexed(store.space("samples")).list()).hasSize(5);
    }
    var target = new SimulatedDisk(2);
    SimulatedStore.salvage(disk, target, SMALL);
    try (Store store = SimulatedStore.open(target, SMALL)) {
      assertThat(store.indexed(store.space("samples")).list()).isEmpty();
      requireAgreement(store, steps, "salvaged");
    }
  }

  private static long callsOfAll() {
    var disk = new SimulatedDisk(0);
    var steps = new Steps(0);
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      steps.runOn(store);
    }
    return disk.mutatingCalls();
  }

  private static void plan(SimulatedDisk disk, End end, long call) {
    switch (end) {
      case POWER_CUT, PROCESS_CRASH -> disk.cutPowerAtCall(call);
      case FAILED_FORCE ->
          disk.faults(
              FaultPlan.nth(
                  call / 4 + 3, asked -> asked.operation() == DiskOperation.FORCE, Fault.IO_ERROR));
      case FULL_DISK ->
          disk.faults(
              FaultPlan.always(
                  asked -> asked.operation().isMutating() && asked.number() >= call,
                  Fault.DISK_FULL));
    }
  }

  private static void requireAgreement(Store store, Steps steps, String description) {
    assertThat(store.verify().isSound()).as(description).isTrue();
    Queryable<Long, Sample> samples = MORE.open(store);
    Map<Long, Sample> rows = new TreeMap<>(samples.map());
    // The step under way may be there as well.
    assertThat(steps.states.lastIndexOf(rows))
        .as(description)
        .isGreaterThanOrEqualTo(steps.acknowledged);
    for (String index : List.of("city, age desc", "tags", "number", "score", "text")) {
      assertThat(samples.indexes().verify(index)).as(description + ", index=" + index).isEmpty();
    }
    for (Condition<Sample> asked : List.of(SCORE.between(20.0, 90.0), AGE.ge(10))) {
      Found<Long, Sample> found = samples.where(asked);
      assertThat(found.keys().toList())
          .as(description)
          .containsExactlyInAnyOrderElementsOf(found.using("").keys().toList());
    }
    samples.map().put(1_000L, Sample.of(1_000));
    assertThat(samples.where(Sample.NUMBER.eq(1_000L)).count()).as(description).isOne();
  }

  /// Changes of a table, with what its rows are after each.
  private static final class Steps {
    private final SplittableRandom random;

    /// After none, one, two and so on; the last is that of the step under way.
    private final List<Map<Long, Sample>> states = new ArrayList<>();

    /// Which of the states the last change has left that returned.
    private int acknowledged;

    private long next;

    Steps(long seed) {
      random = new SplittableRandom(seed);
      states.add(Map.of());
    }

    void runOn(Store store) {
      Queryable<Long, Sample> samples = SAMPLES.open(store);
      for (int step = 0; step < STEPS; step++) {
        if (step == STEPS / 2) {
          samples = MORE.open(store);
        }
        Map<Long, Sample> after = new TreeMap<>(states.getLast());
        Runnable change = change(store, samples, after);
        states.add(after);
        change.run();
        acknowledged = states.size() - 1;
        if (step % 20 == 19) {
          store.checkpoint();
        }
      }
    }

    private Runnable change(Store store, Queryable<Long, Sample> samples, Map<Long, Sample> after) {
      long key = random.nextInt(KEYS);
      Sample first = Sample.of(next++);
      Sample second = Sample.of(next++);
      switch (random.nextInt(6)) {
        case 0 -> {
          after.remove(key);
          return () -> samples.map().remove(key);
        }
        case 1 -> {
          after.keySet().removeIf(present -> present >= key && present < key + 5);
          return () -> samples.map().subMap(key, true, key + 5, false).clear();
        }
        case 2 -> {
          after.entrySet().removeIf(row -> AGE.lt(5).test(row.getKey(), row.getValue()));
          return () -> samples.where(AGE.lt(5)).delete();
        }
        case 3 -> {
          after.put(key, first);
          after.put(key + 1, second);
          return () ->
              store.transact(tx -> {
                OrderedMap<Long, Sample> within = samples.in(tx).map();
                within.put(key, first);
                within.put(key + 1, second);
              });
        }
        default -> {
          after.put(key, first);
          return () -> samples.map().put(key, first);
        }
      }
    }
  }
}
