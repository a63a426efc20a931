package io.varve.test;

import static io.varve.test.MarkedStore.MARKER;
import static io.varve.test.MarkedStore.fill;
import static io.varve.test.MarkedStore.key;
import static io.varve.test.MarkedStore.requireNoMarker;
import static io.varve.test.MarkedStore.requireRefused;
import static io.varve.test.MarkedStore.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.admin.SalvageReport;
import io.varve.internal.disk.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An encrypted store opens with its key alone, shows nothing of its data in any file, and takes no
/// bytes but those it wrote itself. Histories with crashes and faults run encrypted in the other
/// tests, for one seed in three.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptionTest {
  private final SimulatedDisk disk = new SimulatedDisk(1);

  @Test
  void noFileHoldsAnyKeyValueOrName() throws IOException {
    Model model;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
      crashed = disk.copy();
      requireNoMarker(crashed, "while it is open, ring and segments included");
      store.checkpoint();
      requireNoMarker(disk.copy(), "after a checkpoint");
    }
    requireNoMarker(disk, "after a close");
    assertThat(crashed.fileNames()).contains("log/ring").anyMatch(name -> name.endsWith(".log"));
    for (SimulatedDisk each : List.of(disk, crashed)) {
      try (Store store = SimulatedStore.open(each, with(key(1)))) {
        model.requireEqual(Model.of(store), "opened again");
        store.verify().requireSound();
        requireNoMarker(each.copy(), "after an open");
      }
    }
  }

  /// Guards the test above: a store in clear does show it.
  @Test
  void theMarkerWouldBeFound() {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      fill(store);
    }
    assertThatThrownBy(
            () -> {
              for (String file : disk.fileNames()) {
                assertThat(new String(disk.content(file), StandardCharsets.ISO_8859_1))
                    .doesNotContain(MARKER);
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  // --- bytes that others wrote
  // --------------------------------------------------------------------

  /// Whatever is flipped, cut or exchanged: it is noticed, or has no effect.
  @Test
  void changedBytesAreNoticedOrHarmless() throws IOException {
    Model model;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = new Model();
      for (int i = 0; i < 300; i++) {
        byte[] entry = Bytes.of(i + MARKER);
        store.space("s").with(Durability.BACKGROUND).put(entry, entry);
        model.put("s", entry, entry);
        if (i == 200) {
          store.checkpoint();
        }
      }
      store.awaitDurable(store.lastCommit());
      crashed = disk.copy();
    }
    SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 3));
    for (String name : crashed.fileNames()) {
      int size = crashed.content(name).length;
      for (int i = 0; i < 25; i++) {
        SimulatedDisk changed = crashed.copy();
        int at = random.nextInt(i % 3 == 0 ? Math.min(size, 600) : size);
        changed.flipBit(name, at, random.nextInt(8));
        requireNoticedOrHarmless(changed, model, "flipped bit of " + name + " at " + at);
      }
      for (int i = 0; i < 12; i++) {
        SimulatedDisk changed = crashed.copy();
        swap(changed, name, random);
        requireNoticedOrHarmless(changed, model, "swapped blocks of " + name);
      }
    }
  }

  private static void swap(SimulatedDisk changed, String name, SplittableRandom random)
      throws IOException {
    byte[] content = changed.content(name);
    int unit = Math.min(512 << random.nextInt(4), content.length);
    int count = content.length / unit;
    int one = random.nextInt(count) * unit;
    int other = random.nextInt(count) * unit;
    try (var file = changed.asDisk().open(name)) {
      file.write(one, ByteBuffer.wrap(content, other, unit));
      file.write(other, ByteBuffer.wrap(content, one, unit));
    }
  }

  /// As everywhere, a last batch of the log that is damaged cannot be distinguished from one that
  /// was never whole; all was closed cleanly or is vouched for but that.
  private static void requireNoticedOrHarmless(SimulatedDisk changed, Model model, String what) {
    Model held;
    try (Store store = SimulatedStore.open(changed, with(key(1)))) {
      held = Model.of(store);
    } catch (VarveException e) {
      assertThat(e.getMessage()).as(what).containsAnyOf("file=", "directory=");
      return;
    }
    Map<byte[], byte[]> entries = model.entries("s");
    held.entries("s")
        .forEach((key, value) -> assertThat(value).as(what).isEqualTo(entries.get(key)));
  }

  // --- backups and salvage ----------------------------------------------------------------------

  @Test
  void backupsAreEncryptedAndRestoreWithTheKeyTheyWereTakenWith() throws IOException {
    SimulatedDisk backups = new SimulatedDisk(2);
    Model first;
    Model second;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      first = fill(store);
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    SimulatedStore.changeKey(disk, key(1), key(2));
    try (Store store = SimulatedStore.open(disk, with(key(2)))) {
      store.space("more").put(Bytes.of(MARKER), Bytes.of(MARKER.repeat(300)));
      second = Model.of(store);
      assertThat(SimulatedStore.backup(store, backups, BackupOptions.defaults()).isFull())
          .as("the second point continues from the first, whatever the key")
          .isFalse();
    }
    for (String file : backups.fileNames()) {
      assertThat(new String(backups.content(file), StandardCharsets.ISO_8859_1))
          .as(file)
          .doesNotContain(MARKER);
    }
    for (long point = 1; point <= 2; point++) {
      SimulatedDisk restored = new SimulatedDisk(3);
      SimulatedStore.restore(backups, restored, RestoreTo.point(point), key(point));
      requireNoMarker(restored, "restored");
      requireRefused(restored, with(key(3 - point)), StoreKeyException.class, "wrong key");
      try (Store store = SimulatedStore.open(restored, with(key(point)))) {
        (point == 1 ? first : second).requireEqual(Model.of(store), "point " + point);
        store.verify().requireSound();
        store.space("more").put(Bytes.of("after"), Bytes.of("after"));
      }
    }
    assertThatThrownBy(
            () -> SimulatedStore.restore(backups, new SimulatedDisk(4), RestoreTo.newest()))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("give its key");
    assertThatThrownBy(
            () -> SimulatedStore.restore(backups, new SimulatedDisk(4), RestoreTo.newest(), key(1)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("wrong key");
  }

  /// Values whose images the log holds get other extents, and so are encrypted again.
  @Test
  void archivedLogIsEncryptedAndLeadsToAnyCommit() throws IOException {
    SimulatedDisk backups = new SimulatedDisk(2);
    StoreOptions keeping = with(key(1)).archiveLog(true);
    Model filled;
    Commit last;
    try (Store store = SimulatedStore.open(disk, keeping)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      filled = fill(store);
      last = store.lastCommit();
      store.dropSpace("space" + MARKER + 0);
      for (int i = 0; i < 3; i++) {
        store.space("later").put(Bytes.of(i), Bytes.of(MARKER.repeat(300)));
        store.checkpoint();
      }
      requireNoMarker(disk.copy(), "with log that is kept");
      assertThat(disk.fileNames()).anyMatch(name -> name.startsWith("log/kept/"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    for (String file : backups.fileNames()) {
      assertThat(new String(backups.content(file), StandardCharsets.ISO_8859_1))
          .as(file)
          .doesNotContain(MARKER);
    }
    SimulatedDisk restored = new SimulatedDisk(3);
    SimulatedStore.restore(backups, restored, RestoreTo.commit(last), key(1));
    requireNoMarker(restored, "restored by archived log");
    try (Store store = SimulatedStore.open(restored, with(key(1)))) {
      filled.requireEqual(Model.of(store), "restored to a commit");
      store.verify().requireSound();
    }
  }

  /// Whatever leads to the pages: roots, a search of the file, or a log whose header is lost.
  @Test
  void salvageTakesWhatIsIntactAndKeepsItEncrypted() throws IOException {
    Model model;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
      store.awaitDurable(store.lastCommit());
      crashed = disk.copy();
    }
    List<SimulatedDisk> damaged = new ArrayList<>();
    damaged.add(crashed);
    SimulatedDisk rootless = crashed.copy();
    rootless.flipBit("pages", 60, 1);
    rootless.flipBit("pages", 16384 + 60, 1);
    damaged.add(rootless);
    SimulatedDisk headless = crashed.copy();
    String segment =
        headless.fileNames().stream().filter(name -> name.endsWith(".log")).toList().getLast();
    headless.flipBit(segment, 40, 1);
    headless.flipBit(segment, 2048 + 40, 1);
    damaged.add(headless);
    for (SimulatedDisk each : damaged) {
      SimulatedDisk salvaged = new SimulatedDisk(5);
      SimulatedStore.salvage(each, salvaged, with(key(1)));
      requireNoMarker(salvaged, "salvaged");
      try (Store store = SimulatedStore.open(salvaged, with(key(1)))) {
        if (each != headless) {
          model.requireEqual(Model.of(store), "salvaged");
        }
        assertThat(store.findSpace("space" + MARKER + 0)).isNotNull();
        store.verify().requireSound();
      }
      assertThatThrownBy(() -> SimulatedStore.salvage(each, new SimulatedDisk(6), Stores.tiny()))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining("give its key");
    }
  }

  @Test
  void aSalvageWithoutTheKeysFileReportsIt() throws IOException {
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      fill(store);
    }
    disk.asDisk().delete("keys");
    assertThatThrownBy(() -> SimulatedStore.salvage(disk, new SimulatedDisk(5), with(key(1))))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("there is no keys file");
    assertThatThrownBy(() -> SimulatedStore.salvage(disk, new SimulatedDisk(5), Stores.tiny()))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("its keys file is missing");
    disk.flipBit("pages", 60, 1);
    disk.flipBit("pages", 16384 + 60, 1);
    SalvageReport report = SimulatedStore.salvage(disk, new SimulatedDisk(5), Stores.tiny());
    assertThat(report.losses().toString()).contains("encrypted pages, but there is no keys file");
  }

  /// Keys that are lost with their disk are in each backup, at an offset that the format names.
  @Test
  void keysThatAreLostComeBackFromABackup() throws IOException {
    SimulatedDisk backups = new SimulatedDisk(2);
    Model model;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    disk.asDisk().delete("keys");
    byte[] point = backups.content("00000000000000000001.vbk");
    try (var keys = disk.asDisk().open("keys", FileOption.CREATE)) {
      keys.write(0, ByteBuffer.wrap(point, point.length - 3584, 512));
    }
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model.requireEqual(Model.of(store), "with the keys of a backup");
    }
  }
}
