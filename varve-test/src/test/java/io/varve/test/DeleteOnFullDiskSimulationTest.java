package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.LogIo;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A delete on a disk that others have filled ends, whatever the log needs for it.
@Tag("simulation")
class DeleteOnFullDiskSimulationTest {
  /// A delete whose log needs more than the disk and the reserve had the reserve released for it.
  /// Its next attempt wrote the reserve again, without end.
  @Test
  void aDeleteWhoseLogFindsNoCapacityIsRefusedSoon() {
    Seeds.forEach(6, DeleteOnFullDiskSimulationTest::deleteWithoutLog);
  }

  private static void deleteWithoutLog(long seed) {
    int ring = 2 << 20;
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .checkpointInterval(Duration.ofHours(1))
            .log(log -> log.io(LogIo.MAPPED).segmentBytes(ring).bufferBytes(ring));
    var threads = new SimulatedThreads(seed);
    threads.run(() -> {
      SimulatedDisk full = new SimulatedDisk(seed);
      try (Store store = SimulatedStore.open(full, threads, options)) {
        for (int i = 0; i < 130; i++) {
          byte[] value = new byte[100_000];
          new SplittableRandom(i).nextBytes(value);
          store.space("s").put(Bytes.of(i), value);
        }
      }
      Store store = SimulatedStore.open(full, threads, options);
      // Others fill the disk before the first commit looks at it.
      full.capacityBytes(full.usedBytes() + 400_000 + new SplittableRandom(seed).nextInt(500_000));
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
