package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.VarveException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every byte read from disk is checked: damage to a closed store has no effect on any answer, or
/// is a [VarveException] that names the file. It is never a wrong answer, a hang or another error.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CorruptionTest {
  /// Bytes from the start of each file that are all tried: its headers are there.
  private static final int DENSE_BYTES = 512;

  private static final int FLIPS_PER_FILE = 350;

  /// Bytes from one superblock to the other.
  private static final int SLOT_SPACING = 16_384;

  private final Model model = new Model();
  private final SimulatedDisk closed = new SimulatedDisk(1);
  private int noticed;
  private int unnoticed;

  @BeforeEach
  void writeSmallStore() {
    SplittableRandom random = new SplittableRandom(5);
    try (Store store = SimulatedStore.open(closed, Stores.tiny())) {
      for (int i = 0; i < 300; i++) {
        Space space = store.space("s" + i % 2);
        byte[] key = Bytes.of("key" + i);
        byte[] value = new byte[i % 50 == 0 ? 9000 : random.nextInt(200)];
        random.nextBytes(value);
        space.with(Durability.BACKGROUND).put(key, value);
        model.put(space.name(), key, value);
        if (i == 150) {
          store.checkpoint(); // so that both superblocks are in use
        }
      }
    }
  }

  @Test
  void flippedBitIsNoticedOrHarmless() throws Exception {
    SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));
    for (String file : closed.fileNames()) {
      int size = closed.content(file).length;
      for (int i = 0; i < Math.min(size, FLIPS_PER_FILE); i++) {
        int position =
            i < FLIPS_PER_FILE / 3
                ? random.nextInt(Math.min(size, DENSE_BYTES))
                : random.nextInt(size);
        SimulatedDisk damaged = closed.copy();
        damaged.flipBit(file, position, random.nextInt(8));
        requireNoticedOrHarmless(damaged, "flipped bit: file=" + file + ", position=" + position);
      }
    }
    assertThat(noticed).as("flips that were noticed").isPositive();
    assertThat(unnoticed).as("flips that were harmless").isPositive();
  }

  @Test
  void flippedBytesOfUsedPagesAreNoticed() throws Exception {
    SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 2));
    // A value is random, so its bytes are found in the page file as they are.
    for (Map.Entry<byte[], byte[]> entry : model.entries("s0").entrySet()) {
      byte[] value = entry.getValue();
      if (value.length < 16) {
        continue;
      }
      for (String file : closed.fileNames()) {
        int at = indexOf(closed.content(file), value);
        if (at >= 0 && random.nextInt(8) == 0) {
          SimulatedDisk damaged = closed.copy();
          damaged.flipBit(file, at + random.nextInt(Math.min(value.length, 16)), 3);
          requireNoticedOrHarmless(damaged, "flipped bit of a value: file=" + file);
        }
      }
    }
    assertThat(noticed).as("flips that were noticed").isPositive();
  }

  private static int indexOf(byte[] content, byte[] value) {
    byte[] start = java.util.Arrays.copyOf(value, 16);
    for (int at = 0; at + start.length <= content.length; at++) {
      if (java.util.Arrays.equals(content, at, at + start.length, start, 0, start.length)) {
        return at;
      }
    }
    return -1;
  }

  /// A read of the disk that pretends once: the second opinion may differ, the answer may not be
  /// wrong.
  @Test
  void readThatFlipsABitIsNoticed() {
    for (int read = 1; read <= 60; read++) {
      SimulatedDisk lying = closed.copy();
      lying.faults(FaultPlan.nth(read, DiskOperation.READ, Fault.BIT_FLIPPED));
      requireNoticedOrHarmless(lying, "bit flipped by read " + read);
    }
  }

  @Test
  void readFromElsewhereIsNoticed() {
    for (int read = 1; read <= 60; read++) {
      SimulatedDisk lying = closed.copy();
      lying.faults(FaultPlan.nth(read, DiskOperation.READ, Fault.MISDIRECTED));
      requireNoticedOrHarmless(lying, "read " + read + " came from elsewhere");
    }
  }

  @Test
  void failingReadIsAnErrorThatPasses() {
    for (int read = 1; read <= 60; read++) {
      SimulatedDisk failing = closed.copy();
      failing.faults(FaultPlan.nth(read, DiskOperation.READ, Fault.IO_ERROR));
      requireNoticedOrHarmless(failing, "read " + read + " failed");
      try (Store store = SimulatedStore.open(failing, Stores.tiny())) {
        model.requireEqual(Model.of(store), "after a read that failed once");
        store.verify().requireSound();
      }
    }
  }

  /// Writes that are lost, or go elsewhere, while the disk reports that all is well.
  @Test
  void lostAndMisdirectedWritesAreNoticedOrHarmless() {
    for (Fault fault : new Fault[] {Fault.DROPPED, Fault.MISDIRECTED, Fault.BIT_FLIPPED}) {
      for (int write = 1; write <= 40; write++) {
        SimulatedDisk lying = closed.copy();
        lying.faults(FaultPlan.nth(write, DiskOperation.WRITE, fault));
        String what = "write " + write + " " + fault;
        Model changed = model.copy();
        try (Store store = SimulatedStore.open(lying, Stores.tiny())) {
          for (int i = 0; i < 60; i++) {
            byte[] key = Bytes.of("key" + i * 5);
            store.space("s0").with(Durability.PROCESS_CRASH).put(key, key);
            changed.put("s0", key, key);
            if (i % 20 == 19) {
              store.checkpoint();
            }
          }
          changed.requireEqual(Model.of(store), what);
        } catch (VarveException e) {
          continue; // noticed immediately, by reading what was just written
        }
        requireNoticedOrHarmless(lying, changed, what);
      }
    }
  }

  @Test
  void missingOrCutFileIsNoticedOrHarmless() throws Exception {
    for (String file : closed.fileNames()) {
      int size = closed.content(file).length;
      for (int cut : new int[] {0, 1, size / 2, size - 1}) {
        SimulatedDisk damaged = closed.copy();
        try (var handle = damaged.asDisk().open(file)) {
          handle.truncate(Math.max(0, cut));
        }
        requireNoticedOrHarmless(damaged, "file cut: file=" + file + ", size=" + cut);
      }
    }
  }

  private void requireNoticedOrHarmless(SimulatedDisk disk, String what) {
    requireNoticedOrHarmless(disk, model, what);
  }

  private void requireNoticedOrHarmless(SimulatedDisk disk, Model expected, String what) {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      expected.requireEqual(Model.of(store), what);
      requireSingleReads(store, expected);
      store.verify();
      unnoticed++;
    } catch (VarveException e) {
      noticed++;
      assertThat(e.getMessage()).as(what).contains("file=");
    } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
      throw new AssertionError(what, e);
    }
  }

  private static void requireSingleReads(Store store, Model expected) {
    for (String name : expected.spaceNames()) {
      Space space = store.findSpace(name);
      assertThat(space).isNotNull();
      assertThat(space.count(Range.all())).isEqualTo(expected.entries(name).size());
      expected.entries(name).forEach((key, value) -> assertThat(space.get(key)).isEqualTo(value));
      for (Entry entry : space.scan(Range.prefix(Bytes.of("key1")))) {
        assertThat(entry.value()).isEqualTo(expected.get(name, entry.key()));
      }
    }
  }

  @Test
  void failedChecksumOfALeafFailsTheStoreD4() throws Exception {
    requireFailsTheStore("s1", Bytes.of("key77"), (space, key) -> space.get(key));
    requireFailsTheStore("s1", Bytes.of("key77"), (space, key) -> space.put(key, key));
    requireFailsTheStore(
        "s1", Bytes.of("key77"), (space, _) -> space.scan(Range.all()).forEach(Entry::value));
    requireFailsTheStore("s1", Bytes.of("key77"), CorruptionTest::getInSnapshot);
  }

  @Test
  void failedChecksumOfALargeValueFailsTheStoreD4() throws Exception {
    requireFailsTheStore("s0", Bytes.of("key100"), (space, key) -> space.get(key));
    requireFailsTheStore(
        "s0", Bytes.of("key100"), (space, _) -> space.scan(Range.all()).forEach(Entry::value));
    requireFailsTheStore("s0", Bytes.of("key100"), CorruptionTest::getInSnapshot);
    requireFailsTheStore("s0", Bytes.of("key100"), CorruptionTest::scanSnapshot);
    requireFailsTheStore("s0", Bytes.of("key100"), CorruptionTest::readStream);
  }

  private static void getInSnapshot(Space space, byte[] key) {
    try (Snapshot snapshot = space.store().snapshot()) {
      snapshot.get(space, key);
    }
  }

  private static void scanSnapshot(Space space, byte[] key) {
    try (Snapshot snapshot = space.store().snapshot()) {
      snapshot.scan(space, Range.all()).forEach(Entry::value);
    }
  }

  private static void readStream(Space space, byte[] key) {
    try (InputStream stream = space.read(key)) {
      stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Damages the page that holds a value: a caller that meets it gets an error, and no commit is
  /// taken from then on. All the rest is read, and a reopened store takes commits again.
  private void requireFailsTheStore(String name, byte[] key, BiConsumer<Space, byte[]> meet)
      throws FileNotFoundException {
    byte[] value = model.get(name, key);
    SimulatedDisk damaged = closed.copy();
    damaged.flipBit("pages", indexOf(damaged.content("pages"), value) + 3, 5);
    String other = name.equals("s0") ? "s1" : "s0";
    try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
      Space space = store.space(name);
      assertThatThrownBy(() -> meet.accept(space, key))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("file=");
      assertThatThrownBy(() -> store.space(other).put(key, key))
          .isInstanceOf(StoreFailedException.class)
          .hasCauseInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("file=");
      model.entries(other).forEach((k, v) -> assertThat(store.space(other).get(k)).isEqualTo(v));
    }
    try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
      store.space(other).put(key, key);
      assertThat(store.space(other).get(key)).isEqualTo(key);
    }
  }

  /// The checkpoint before the newest is opened if the newest superblock is damaged, with all that
  /// was committed since then, at any time: after large values replaced older ones, and after a
  /// recovery.
  @Test
  void damagedNewestSuperblockCostsNothing() {
    Seeds.forEach(
        30,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          SimulatedDisk disk = new SimulatedDisk(seed);
          for (int life = random.nextInt(3); life >= 0; life--) {
            Store store = SimulatedStore.open(disk, Stores.tiny());
            Space space = store.space("s");
            for (int i = 20 + random.nextInt(80); i > 0; i--) {
              byte[] value = new byte[random.nextInt(6) == 0 ? 150_000 : random.nextInt(300)];
              random.nextBytes(value);
              space.with(Durability.PROCESS_CRASH).put(Bytes.of(random.nextInt(30)), value);
              if (random.nextInt(12) == 0) {
                store.checkpoint();
              }
            }
            SimulatedDisk crashed = disk.processCrash();
            try {
              store.close();
            } catch (VarveException e) {
              assertThat(disk.isOff()).isTrue(); // so it cannot close cleanly
            }
            disk = crashed;
          }
          SimulatedDisk damaged = disk.copy();
          damaged.flipBit("pages", newestSlot(damaged.content("pages")) + 50, 3);
          try (Store whole = SimulatedStore.open(disk, Stores.tiny());
              Store repaired = SimulatedStore.open(damaged, Stores.tiny())) {
            Model.of(whole).requireEqual(Model.of(repaired), "newest superblock damaged");
            repaired.verify().requireSound();
          }
        });
  }

  /// The offset of the superblock with the higher sequence.
  private static int newestSlot(byte[] pages) {
    ByteBuffer file = ByteBuffer.wrap(pages).order(ByteOrder.LITTLE_ENDIAN);
    return file.getLong(32) > file.getLong(SLOT_SPACING + 32) ? 0 : SLOT_SPACING;
  }

  /// A space with a damaged page can be dropped, and takes nothing else along.
  @Test
  void dropOfADamagedSpaceLeavesTheOthers() throws Exception {
    byte[] value = model.get("s1", Bytes.of("key77"));
    SimulatedDisk damaged = closed.copy();
    damaged.flipBit("pages", indexOf(damaged.content("pages"), value) + 3, 5);
    try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
      assertThat(store.dropSpace("s1")).isTrue(); // reads none of its pages
    }
    try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
      assertThat(store.spaceNames()).doesNotContain("s1");
      model.entries("s0").forEach((k, v) -> assertThat(store.space("s0").get(k)).isEqualTo(v));
      store.space("s0").put(value, value);
    }
  }

  /// A store whose newest superblock is damaged continues from the one before, with nothing lost.
  /// It also does so when the log names values in extents where only the checkpoint before had
  /// something.
  @Test
  void damagedSuperblockGoesBackOneCheckpoint() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Model expected = new Model();
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 6; round++) {
      Store store = SimulatedStore.open(disk, Stores.tiny());
      expected.requireEqual(Model.of(store), "round " + round);
      store.verify().requireSound();
      Space space = store.space("s");
      for (int i = 0; i < 6; i++) {
        byte[] value = new byte[140_000 + random.nextInt(300_000)];
        random.nextBytes(value);
        byte[] key = Bytes.of(random.nextInt(4));
        space.put(key, value);
        expected.put("s", key, value);
        if (i < 4) {
          store.checkpoint();
        }
      }
      SimulatedDisk after = disk.powerCut();
      assertThatThrownBy(store::checkpoint).isInstanceOf(VarveException.class);
      store.close();
      disk = after;
      byte[] pages = disk.content("pages");
      disk.flipBit("pages", newestSlot(pages) + 100, 3);
    }
  }

  /// What was noticed is found by `verify`, and named, without an end of the store.
  @Test
  void verifyFindsDamagedPages() throws FileNotFoundException {
    int found = 0;
    for (Map.Entry<byte[], byte[]> entry : model.entries("s1").entrySet()) {
      byte[] value = entry.getValue();
      for (String file : closed.fileNames()) {
        int at = value.length < 100 ? -1 : indexOf(closed.content(file), value);
        if (at < 0) {
          continue;
        }
        SimulatedDisk damaged = closed.copy();
        damaged.flipBit(file, at + 5, 1);
        try (Store store = SimulatedStore.open(damaged, Stores.tiny())) {
          if (!store.verify().isSound()) {
            found++;
            assertThat(store.verify().problems().getFirst()).contains("file=");
          }
        } catch (VarveException e) {
          assertThat(e.getMessage()).contains("file=");
        }
      }
      if (found > 20) {
        return;
      }
    }
    assertThat(found).as("damaged pages that verify found").isPositive();
  }

  /// Of several damaged pages that a transaction needs, the first that is wanted again is reported:
  /// the transaction does not look for another one of them forever.
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void transactionThatNeedsSeveralDamagedLeavesEndsD4() {
    SimulatedDisk disk = new SimulatedDisk(1);
    int keys = 20_000;
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      Space space = store.space("s");
      for (int i = 0; i < keys; i++) {
        space.with(Durability.BACKGROUND).put(Bytes.of(i), new byte[100]);
      }
    }
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      Space space = store.space("s");
      // Loads the inner pages on the way.
      assertThat(space.get(Bytes.of(1))).isNotNull();
      assertThat(space.get(Bytes.of(keys - 1))).isNotNull();
      disk.faults(
          FaultPlan.always(
              call -> call.operation() == DiskOperation.READ && call.name().equals("pages"),
              Fault.BIT_FLIPPED));
      assertThatThrownBy(() ->
              store.transact(tx -> {
                tx.put(space, Bytes.of(100), new byte[1]);
                tx.put(space, Bytes.of(200), new byte[1]);
                tx.put(space, Bytes.of(keys - 200), new byte[1]);
              }))
          .isInstanceOf(CorruptStoreException.class);
    }
  }
}
