package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A process that dies while it writes a superblock may leave it in the memory of the system alone.
/// The next open sees it there, and frees what it does not reach. A loss of power after that must
/// not bring back the superblock that it replaced.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnforcedSuperblockTest {
  private static final int HISTORIES = 6;
  private static final int KEYS = 40;
  private static final int BY_REFERENCE_BYTES = 132 << 10;
  private static final int SMALL_KEYS = 4000;
  private static final int CHECKPOINTS = 6;
  private static final int SUPERBLOCKS_END = 32 << 10; // of the page file; above the slots of both

  @Test
  void aSuperblockThatIsOpenedIsDurableBeforeAnythingElseIsWritten() throws Exception {
    for (long seed = 1; seed <= HISTORIES; seed++) {
      new History(seed).run();
    }
  }

  private static final class History {
    private final long seed;
    private final SplittableRandom random;
    private final StoreOptions options =
        Stores.tiny().cacheBytes(1 << 20).log(log -> log.bytesMax(16 << 20));
    private final int[] acknowledged = new int[KEYS];

    History(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
    }

    void run() throws Exception {
      SimulatedDisk first = new SimulatedDisk(seed);
      diesAtSuperblock(first);
      SimulatedDisk second = first.processCrash();
      Store store = SimulatedStore.open(second, options);
      // What the next open replays: too much for its cache, so that it writes and frees.
      for (int i = 0; i < SMALL_KEYS; i++) {
        byte[] key = ByteBuffer.allocate(5).put((byte) -1).putInt(i).array();
        store.space("s").with(Durability.BACKGROUND).put(key, new byte[500]);
      }
      write(store.space("s"), 30);
      SimulatedDisk third = second.processCrash();
      close(store);
      store = SimulatedStore.open(third, options);
      diesAtForce(store, third);
      SimulatedDisk last = third.powerCut();
      close(store);
      try (Store recovered = SimulatedStore.open(last, options)) {
        recovered.verify().requireSound();
        Space space = recovered.space("s");
        for (int key = 0; key < KEYS; key++) {
          byte[] value = space.get(key(key));
          int found = value == null ? 0 : ByteBuffer.wrap(value).getInt();
          assertThat(found).as("seed=%d, key=%d", seed, key).isEqualTo(acknowledged[key]);
        }
      }
    }

    private void diesAtSuperblock(SimulatedDisk disk) {
      Store store = SimulatedStore.open(disk, options);
      try {
        for (int i = 0; i < CHECKPOINTS; i++) {
          write(store.space("s"), 60);
          if (i == CHECKPOINTS - 1) {
            disk.faults(
                FaultPlan.nth(
                    1,
                    call ->
                        call.operation() == DiskOperation.WRITE
                            && call.name().equals("pages")
                            && call.position() < SUPERBLOCKS_END,
                    Fault.POWER_CUT));
          }
          store.checkpoint();
        }
      } catch (VarveException e) {
        assertThat(disk.isOff()).isTrue();
      }
      close(store);
    }

    /// Commits continue while a checkpoint is forced, into what it has freed.
    private void diesAtForce(Store store, SimulatedDisk disk) {
      AtomicBoolean reached = new AtomicBoolean();
      disk.faults(call -> {
        if (!call.name().equals("pages")
            || call.operation() != DiskOperation.FORCE
            || reached.getAndSet(true)) {
          return Fault.NONE;
        }
        Threads threads = new Threads();
        threads.start(() -> write(store.space("s"), 30));
        try {
          threads.join();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        return Fault.POWER_CUT;
      });
      assertThatThrownBy(store::checkpoint).isInstanceOf(VarveException.class);
    }

    private void write(Space space, int count) {
      for (int i = 0; i < count; i++) {
        int key = random.nextInt(KEYS);
        ByteBuffer value =
            ByteBuffer.allocate(
                random.nextBoolean() ? 8 : BY_REFERENCE_BYTES + random.nextInt(1000));
        value.putInt(0, acknowledged[key] + 1);
        space.with(Durability.POWER_LOSS).put(key(key), value.array());
        acknowledged[key]++;
      }
    }

    private static byte[] key(int key) {
      return new byte[] {(byte) key};
    }

    /// The store of a machine that is off releases everything all the same.
    private static void close(Store store) {
      try {
        store.close();
      } catch (VarveException e) {
        // its disk is off
      }
    }
  }
}
