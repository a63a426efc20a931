package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Virtual threads that miss are in the disk together: a store holds no lock while it reads that
/// another read needs. How many carriers that keeps is the matter of the read pool.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadsInFlightTest {
  /// The depth of the queue at which a fast device reaches its rate.
  private static final int READS = 32;

  /// Fewer than a leaf holds, so that each thread reads another leaf.
  private static final int KEYS_APART = 12;

  private static final int VALUE_BYTES = 1000;
  private static final int PATIENCE_SECONDS = 20;

  private final StoreOptions options = Stores.tiny().pageBytes(8192).cacheBytes(4 << 20);

  @Test
  void missesOfVirtualThreadsAreReadTogether() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      for (int i = 0; i <= READS * KEYS_APART; i++) {
        store.space("s").put(Bytes.of(i), new byte[VALUE_BYTES]);
      }
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      assertThat(space.get(Bytes.of(0))).hasSize(VALUE_BYTES); // also loads the inner pages
      CountDownLatch inFlight = new CountDownLatch(READS);
      disk.faults(call -> {
        if (call.operation() == DiskOperation.READ && Thread.currentThread().isVirtual()) {
          inFlight.countDown();
          await(inFlight);
        }
        return Fault.NONE;
      });
      Threads threads = new Threads();
      for (int i = 1; i <= READS; i++) {
        byte[] key = Bytes.of(i * KEYS_APART);
        threads.startVirtual(() -> assertThat(space.get(key)).hasSize(VALUE_BYTES));
      }
      threads.join();
      disk.faults(FaultPlan.none());
      assertThat(inFlight.getCount()).as("reads that others kept from the disk").isZero();
      store.verify().requireSound();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted, which no thread does", e);
    }
  }
}
