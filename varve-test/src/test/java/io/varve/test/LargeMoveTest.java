package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Compaction moves a large value without taking memory for all of it.
class LargeMoveTest {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNKS = 6;
  private static final byte[] KEY = Bytes.of("moves");
  private static final byte[] FILLER = Bytes.of("filler");

  private final StoreOptions options = Stores.tiny().durability(Durability.BACKGROUND);

  /// A value longer than the heap holds failed the store that moved it.
  @Test
  void chunkIsWrittenBeforeTheNextIsRead() throws IOException {
    byte[] value = new byte[CHUNKS * CHUNK_BYTES];
    new SplittableRandom(1).nextBytes(value);
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      space.put(FILLER, new ByteArrayInputStream(new byte[2 * value.length]), 2L * value.length);
      space.put(KEY, new ByteArrayInputStream(value), value.length);
      space.delete(FILLER);
      AtomicInteger unwritten = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      AtomicInteger written = new AtomicInteger();
      disk.faults(call -> {
        if (call.name().equals("pages") && call.length() == CHUNK_BYTES) {
          if (call.operation() == DiskOperation.READ) {
            most.accumulateAndGet(unwritten.incrementAndGet(), Math::max);
          } else {
            written.incrementAndGet();
            unwritten.set(0);
          }
        }
        return Fault.NONE;
      });
      long before = store.statistics().disk().pageFileBytes();
      store.compact();
      disk.faults(FaultPlan.none());
      assertThat(written).hasValueGreaterThanOrEqualTo(CHUNKS);
      assertThat(most).as("chunks in memory").hasValueLessThanOrEqualTo(2);
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(before / 2);
      try (InputStream moved = space.read(KEY)) {
        assertThat(moved).isNotNull().hasBinaryContent(value);
      }
      store.verify().requireSound();
    }
  }

  /// A value that finds no capacity on a full disk broke the compaction off, and with it the moves
  /// that would have freed that capacity.
  @Test
  void aValueWithoutCapacityHoldsUpNothingElse() {
    int small = 20_000;
    int count = 200;
    byte[] value = new byte[20 * small];
    new SplittableRandom(2).nextBytes(value);
    SimulatedDisk disk = new SimulatedDisk(2);
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int i = 0; i < count; i++) {
        space.put(Bytes.of(i), new byte[small]);
      }
      space.put(KEY, value);
      store.checkpoint();
      // What is free is in pieces too short for the value, which is above all of them.
      for (int i = 0; i < count; i += 2) {
        space.delete(Bytes.of(i));
      }
      store.checkpoint();
      store.checkpoint();
      disk.capacityBytes(disk.usedBytes());
      long before = store.statistics().disk().pageFileBytes();

      long after = before;
      long last;
      do {
        last = after;
        store.compact();
        after = store.statistics().disk().pageFileBytes();
      } while (after < last);

      assertThat(after)
          .as("bytes after compactions that had capacity for all; before: " + before)
          .isLessThan(before * 3 / 4);
      assertThat(space.get(KEY)).isEqualTo(value);
      store.verify().requireSound();
    }
  }
}
