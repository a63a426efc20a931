package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.admin.SalvageReport;
import io.varve.internal.disk.FileOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An encrypted store opens with its key alone, shows nothing of its data in any file, and takes no
/// bytes but those it wrote itself. Histories with crashes and faults run encrypted in the other
/// tests, for one seed in three.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptionTest {
  private static final String MARKER = "-what-nobody-may-read-";
  private static final int ENTRIES = 400;

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static KeySource key(long seed) {
    byte[] key = new byte[KeySource.KEY_BYTES];
    new SplittableRandom(seed).nextBytes(key);
    return KeySource.of(key);
  }

  private static StoreOptions with(KeySource key) {
    return Stores.tiny().encryption(key);
  }

  /// Makes a store that has leaves, inner pages, and large values of one and of several chunks in
  /// its page file. It has the same in a log that no checkpoint has taken in.
  private static Model fill(Store store) {
    Model model = new Model();
    for (int half = 0; half < 2; half++) {
      Space space = store.space("space" + MARKER + half);
      for (int i = 0; i < ENTRIES; i++) {
        byte[] entry = Bytes.of(i + MARKER + half + " ".repeat(i % 90) + "\n");
        space.with(Durability.BACKGROUND).put(entry, entry);
        model.put(space.name(), entry, entry);
      }
      byte[] large = MARKER.repeat(1_300_000 / MARKER.length()).getBytes(StandardCharsets.UTF_8);
      for (int bytes : new int[] {5_000, 50_000, large.length}) {
        byte[] value = java.util.Arrays.copyOf(large, bytes);
        byte[] entryKey = Bytes.of("large" + bytes);
        space.put(entryKey, new ByteArrayInputStream(value), bytes);
        model.put(space.name(), entryKey, value);
      }
      store.transact(
          Durability.POWER_LOSS,
          transaction -> {
            for (int i = 0; i < 300; i++) {
              transaction.put(space, Bytes.of("t" + i), Bytes.of(MARKER.repeat(4)));
            }
          });
      for (int i = 0; i < 300; i++) {
        model.put(space.name(), Bytes.of("t" + i), Bytes.of(MARKER.repeat(4)));
      }
      if (half == 0) {
        store.checkpoint();
      }
    }
    return model;
  }

  private static void requireNoMarker(SimulatedDisk disk, String when) throws IOException {
    assertThat(disk.fileNames()).contains("keys", "pages");
    for (String file : disk.fileNames()) {
      assertThat(new String(disk.content(file), StandardCharsets.ISO_8859_1))
          .as("%s, %s", file, when)
          .doesNotContain(MARKER);
    }
  }

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

  // --- keys that do not fit ---------------------------------------------------------------------

  private Map<String, byte[]> contents(SimulatedDisk looked) throws IOException {
    Map<String, byte[]> contents = new HashMap<>();
    for (String file : looked.fileNames()) {
      contents.put(file, looked.content(file));
    }
    contents.remove("lock"); // names the process that looked last
    return contents;
  }

  /// Opens a store that must refuse, and change nothing.
  private void requireRefused(
      SimulatedDisk refusing,
      StoreOptions options,
      Class<? extends VarveException> type,
      String... said)
      throws IOException {
    Map<String, byte[]> before = contents(refusing);
    assertThatThrownBy(() -> SimulatedStore.open(refusing, options).close())
        .isInstanceOf(type)
        .hasMessageContainingAll(said);
    assertThat(contents(refusing)).containsExactlyInAnyOrderEntriesOf(before);
  }

  @Test
  void wrongAndMissingKeysAreRefusedBeforeAnythingIsTouched() throws IOException {
    Model model;
    SimulatedDisk crashed;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
      store.awaitDurable(store.lastCommit());
      crashed = disk.copy();
    }
    for (SimulatedDisk each : List.of(disk, crashed)) {
      requireRefused(
          each, with(key(2)), StoreKeyException.class, "wrong key", key(1).currentId(), "keys");
      requireRefused(
          each, Stores.tiny(), StoreKeyException.class, "the store is encrypted", "give its key");
      requireRefused(
          each, with(unknown()), StoreKeyException.class, "key unknown", key(1).currentId());
      try (Store store = SimulatedStore.open(each, with(key(1)))) {
        model.requireEqual(Model.of(store), "with the right key");
      }
    }
  }

  /// A source that knows no key of that id.
  private static KeySource unknown() {
    return new KeySource() {
      @Override
      public String currentId() {
        return "none";
      }

      @Override
      public byte @Nullable [] key(String id) {
        return null;
      }
    };
  }

  @Test
  void aKeyForAStoreInClearIsRefused() throws IOException {
    SimulatedStore.open(disk, Stores.tiny()).close();
    requireRefused(disk, with(key(1)), StoreKeyException.class, "the store is not encrypted");
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  @Test
  void theSourceIsAskedByIdForEachStore() {
    Map<String, KeySource> vault = new HashMap<>(Map.of("a", key(1), "b", key(2)));
    List<String> asked = new ArrayList<>();
    var source =
        new KeySource() {
          private String current = "a";

          @Override
          public String currentId() {
            return current;
          }

          @Override
          public byte @Nullable [] key(String id) {
            asked.add(id);
            KeySource known = vault.get(id);
            return known == null ? null : known.key(id);
          }
        };
    SimulatedStore.open(disk, with(source)).close();
    source.current = "b";
    SimulatedStore.open(disk, with(source)).close();
    assertThat(asked).containsExactly("a", "a");
    SimulatedStore.changeKey(disk, source, source);
    vault.remove("a");
    SimulatedStore.open(disk, with(source)).close();
    assertThat(asked).containsExactly("a", "a", "a", "b", "b");
  }

  @Test
  void eitherCopyOfTheKeysWillDoAndWithoutBothTheStoreIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    for (int[] damage : new int[][] {{60}, {4096 + 60}, {60, 4096 + 60}}) {
      SimulatedDisk damaged = disk.copy();
      for (int position : damage) {
        damaged.flipBit("keys", position, 3);
      }
      if (damage.length == 1) {
        SimulatedStore.open(damaged, with(key(1))).close();
      } else {
        requireRefused(damaged, with(key(1)), CorruptStoreException.class, "keys file damaged");
      }
    }
  }

  @Test
  void aStoreWithoutItsKeysIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    disk.asDisk().delete("keys");
    for (StoreOptions options : List.of(with(key(1)), Stores.tiny())) {
      requireRefused(disk, options, CorruptStoreException.class, "its keys file is missing");
    }
  }

  @Test
  void keysOfAnotherStoreAreRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    SimulatedDisk other = new SimulatedDisk(2);
    SimulatedStore.open(other, with(key(1))).close();
    copyFile(other, disk, "keys");
    assertThatThrownBy(() -> SimulatedStore.open(disk, with(key(1))).close())
        .isInstanceOf(VarveException.class)
        .hasMessageContaining("keys file belongs to another store");
    SimulatedDisk clear = new SimulatedDisk(3);
    SimulatedStore.open(clear, Stores.tiny()).close();
    copyFile(other, clear, "keys");
    requireRefused(clear, with(key(1)), CorruptStoreException.class, "is not encrypted");
  }

  private static void copyFile(SimulatedDisk from, SimulatedDisk to, String name)
      throws IOException {
    try (var file = to.asDisk().open(name, FileOption.CREATE)) {
      file.write(0, ByteBuffer.wrap(from.content(name)));
    }
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

  // --- changes of key ---------------------------------------------------------------------------

  @Test
  void aChangedKeyOpensTheStoreAndTheOldOneDoesNot() throws IOException {
    Model model;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
    }
    Map<String, byte[]> before = contents(disk);
    SimulatedStore.changeKey(disk, key(1), key(2));
    Map<String, byte[]> after = contents(disk);
    assertThat(after.get("keys")).isNotEqualTo(before.get("keys"));
    assertThat(after.get("pages")).isEqualTo(before.get("pages"));
    requireRefused(disk, with(key(1)), StoreKeyException.class, "wrong key");
    try (Store store = SimulatedStore.open(disk, with(key(2)))) {
      model.requireEqual(Model.of(store), "with the new key");
    }
  }

  @Test
  void aChangeWithoutTheOldKeyIsRefused() throws IOException {
    SimulatedStore.open(disk, with(key(1))).close();
    Map<String, byte[]> before = contents(disk);
    assertThatThrownBy(() -> SimulatedStore.changeKey(disk, key(3), key(2)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("wrong key");
    assertThat(contents(disk)).containsExactlyInAnyOrderEntriesOf(before);
    SimulatedDisk clear = new SimulatedDisk(2);
    SimulatedStore.open(clear, Stores.tiny()).close();
    assertThatThrownBy(() -> SimulatedStore.changeKey(clear, key(3), key(2)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("not encrypted");
  }

  /// Whenever the power is cut, one of the two keys opens the store, and once the change has
  /// returned it is the new one.
  @Test
  void aChangeThatIsCutShortLeavesOneKeyInForce() throws IOException {
    Model model;
    try (Store store = SimulatedStore.open(disk, with(key(1)))) {
      model = fill(store);
    }
    boolean returned = false;
    for (int call = 1; !returned; call++) {
      for (int seed = 0; seed < 3; seed++) {
        SimulatedDisk cut = disk.copy();
        cut.cutPowerAtCall(cut.mutatingCalls() + call);
        returned = true;
        try {
          SimulatedStore.changeKey(cut, key(1), key(2));
        } catch (VarveException e) {
          returned = false;
        }
        requireOneKeyOpens(cut.powerCut(), model, returned, "cut at call " + call);
      }
    }
  }

  private static void requireOneKeyOpens(
      SimulatedDisk after, Model model, boolean changed, String when) {
    List<Long> opened = new ArrayList<>();
    for (long seed = 1; seed <= 2; seed++) {
      try (Store store = SimulatedStore.open(after, with(key(seed)))) {
        model.requireEqual(Model.of(store), when);
        opened.add(seed);
      } catch (StoreKeyException e) {
        assertThat(e.getMessage()).as(when).contains("wrong key");
      }
    }
    assertThat(opened).as(when).hasSize(1);
    if (changed) {
      assertThat(opened).as(when).containsExactly(2L);
    }
  }

  /// A failed call leaves the old key in force, or the new one; what is left lying is no harm.
  @Test
  void aChangeThatFailsLeavesOneKeyInForce() {
    SimulatedStore.open(disk, with(key(1))).close();
    boolean failed = true;
    for (int call = 1; failed; call++) {
      SimulatedDisk failing = disk.copy();
      failing.faults(FaultPlan.nth(call, _ -> true, Fault.IO_ERROR));
      failed = false;
      try {
        SimulatedStore.changeKey(failing, key(1), key(2));
      } catch (VarveException e) {
        failed = true;
      }
      failing.faults(FaultPlan.none());
      requireOneKeyOpens(failing, new Model(), !failed, "failed call " + call);
      SimulatedStore.changeKey(failing, failed && opens(failing, 1) ? key(1) : key(2), key(3));
      assertThat(opens(failing, 3)).isTrue();
    }
  }

  private static boolean opens(SimulatedDisk disk, long seed) {
    try (Store _ = SimulatedStore.open(disk, with(key(seed)))) {
      return true;
    } catch (StoreKeyException e) {
      return false;
    }
  }
}
