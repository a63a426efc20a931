package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.LogIo;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A delete on a disk that others have filled ends, whatever the log needs for it.
@Tag("simulation")
class DeleteOnFullDiskSimulationTest {
  private static final int RING = 2 << 20;
  private static final int KEYS = 4000;

  private static final StoreOptions MAPPED =
      StoreOptions.defaults()
          .durability(Durability.BACKGROUND)
          .checkpointInterval(Duration.ofHours(1))
          .log(log -> log.io(LogIo.MAPPED).segmentBytes(RING).bufferBytes(RING));

  /// A delete whose log needs more than the disk and the reserve had the reserve released for it.
  /// Its next attempt wrote the reserve again, without end.
  @Test
  void aDeleteWhoseLogFindsNoCapacityIsRefusedSoon() {
    Seeds.forEach(6, DeleteOnFullDiskSimulationTest::deleteWithoutLog);
  }

  /// A log that is mapped grows by terms of the size of its buffer. When its last segment was used
  /// up, a delete was refused: the reserve had less than a term, and the segments before the last
  /// one were released already.
  @Test
  void deletesContinueWhereALogThatIsMappedNeedsANewSegment() {
    Seeds.forEach(6, DeleteOnFullDiskSimulationTest::deleteWithMappedLog);
  }

  /// Deletes of several threads were refused where those of one pass: what the others had under way
  /// took what each would have found alone.
  @Test
  void deletesOfSeveralThreadsFreeCapacityAsThoseOfOneDo() {
    Seeds.forEach(6, DeleteOnFullDiskSimulationTest::deleteByThreads);
  }

  private static void deleteByThreads(long seed) {
    StoreOptions options = Stores.tiny().pageBytes(8192).cacheBytes(4 << 20);
    var threads = new SimulatedThreads(seed);
    threads.run(() -> {
      SimulatedDisk full = new SimulatedDisk(seed);
      try (Store store = SimulatedStore.open(full, threads, options)) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < KEYS; i++) {
          byte[] value = new byte[300];
          random.nextBytes(value);
          store.space("s").with(Durability.BACKGROUND).put(Bytes.of("k" + i), value);
        }
      }
      full.capacityBytes(full.usedBytes());
      try (Store store = SimulatedStore.open(full, threads, options)) {
        Space space = store.space("s");
        assertThatThrownBy(() -> putUntilRefused(space)).isInstanceOf(StoreFullException.class);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
          int first = t;
          all.add(
              threads.start(
                  "deletes-" + t,
                  () -> {
                    for (int i = first; i < KEYS; i += 4) {
                      space.delete(Bytes.of("k" + i));
                    }
                  }));
        }
        all.forEach(DeleteOnFullDiskSimulationTest::join);
        for (int i = 0; i < KEYS; i++) {
          assertThat(space.get(Bytes.of("k" + i))).isNull();
        }
        store.verify().requireSound();
      }
    });
  }

  private static void putUntilRefused(Space space) {
    for (int i = 0; i < KEYS; i++) {
      space.put(Bytes.of("more" + i), new byte[800]);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing interrupts this", e);
    }
  }

  private static void deleteWithMappedLog(long seed) {
    var threads = new SimulatedThreads(seed);
    threads.run(() -> {
      SimulatedDisk full = new SimulatedDisk(seed);
      fill(full, threads);
      try (Store store = SimulatedStore.open(full, threads, MAPPED)) {
        full.capacityBytes(full.usedBytes() + new SplittableRandom(seed).nextInt(900_000));
        // Several segments.
        for (int i = 0; i < 10_000; i++) {
          store.space("s").delete(i < 130 ? Bytes.of(i) : new byte[1000]);
        }
        assertThat(store.space("s").count(Range.all())).isZero();
      }
      full.capacityBytes(Long.MAX_VALUE);
      try (Store store = SimulatedStore.open(full, threads, MAPPED)) {
        store.verify().requireSound();
        assertThat(store.space("s").count(Range.all())).isZero();
      }
    });
  }

  private static void fill(SimulatedDisk disk, SimulatedThreads threads) {
    try (Store store = SimulatedStore.open(disk, threads, MAPPED)) {
      for (int i = 0; i < 130; i++) {
        byte[] value = new byte[100_000];
        new SplittableRandom(i).nextBytes(value);
        store.space("s").put(Bytes.of(i), value);
      }
    }
  }

  private static void deleteWithoutLog(long seed) {
    var threads = new SimulatedThreads(seed);
    threads.run(() -> {
      SimulatedDisk full = new SimulatedDisk(seed);
      fill(full, threads);
      Store store = SimulatedStore.open(full, threads, MAPPED);
      // A quota falls below what is there, and the reserve has less than the log needs.
      int free = 400_000 + new SplittableRandom(seed).nextInt(500_000);
      full.capacityBytes(full.usedBytes() + free - 2 * (RING + 4096));
      AtomicInteger released = new AtomicInteger();
      full.faults(call -> {
        if (call.operation() == DiskOperation.TRUNCATE
            && call.name().equals("reserve")
            && call.position() == 0) {
          released.incrementAndGet();
        }
        return Fault.NONE;
      });
      assertThatThrownBy(() -> deleteUntilRefused(store.space("s"), released))
          .isInstanceOf(StoreFullException.class);
      assertThat(released).as("releases of the reserve").hasValueLessThanOrEqualTo(2);
      full.capacityBytes(Long.MAX_VALUE);
      assertThat(store.space("s").delete(Bytes.of(1))).isNotNull();
      store.close();
    });
  }

  private static void deleteUntilRefused(Space space, AtomicInteger released) {
    for (int i = 0; i < 10_000; i++) {
      released.set(0);
      space.delete(new byte[1000]);
    }
  }
}
