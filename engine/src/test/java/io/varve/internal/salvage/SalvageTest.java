package io.varve.internal.salvage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.admin.SalvageReport;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import io.varve.internal.store.StoreSalvager;
import io.varve.internal.txn.DroppedSpaces;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A salvage of an undamaged store gives the same content. A salvage of a damaged one gives every
/// entry whose leaf or log record is intact, whatever else is destroyed.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SalvageTest {
  private static final StoreOptions TINY =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));

  private static final KeySource KEY = KeySource.of(new byte[KeySource.KEY_BYTES]);

  /// The options of the store on a disk, which is encrypted or not.
  private static StoreOptions options(SimulatedDisk disk) {
    return disk.fileNames().contains("keys") ? TINY.encryption(KEY) : TINY;
  }

  /// A store on which chance has worked for a while.
  private static final class History {
    final SplittableRandom random;
    SimulatedDisk disk;
    Store store;
    final Model model = new Model();

    History(long seed) {
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(seed);
      store = SimulatedStore.open(disk, options(seed));
    }

    /// One in three is encrypted, and one in two compressed.
    private static StoreOptions options(long seed) {
      StoreOptions options = seed % 3 == 0 ? TINY.encryption(KEY) : TINY;
      return seed % 2 == 0 ? options.compression("deflate") : options;
    }

    void work(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
      }
    }

    private void step() {
      Space space = store.space("s" + random.nextInt(3));
      int dice = random.nextInt(1000);
      if (dice < 700) {
        put(space, key(), random.nextInt(200));
      } else if (dice < 900) {
        byte[] key = key();
        space.with(Durability.BACKGROUND).delete(key);
        model.delete(space.name(), key);
      } else if (dice < 940) {
        put(space, key(), 300 + random.nextInt(9_000));
      } else if (dice < 950) {
        put(space, key(), 131_073 + random.nextInt(100_000));
      } else if (dice < 970) {
        Range range = Range.prefix(("k" + random.nextInt(40)).getBytes(UTF_8));
        space.deleteRange(range);
        List.copyOf(model.entries(space.name(), range).keySet())
            .forEach(key -> model.delete(space.name(), key));
      } else if (dice < 974) {
        store.dropSpace(space.name());
        List.copyOf(model.entries(space.name()).keySet())
            .forEach(key -> model.delete(space.name(), key));
      } else if (dice < 990) {
        store.checkpoint();
      } else if (dice < 993) {
        store.compact();
      } else {
        store.transact(tx -> {
          for (int i = 0; i < 20; i++) {
            byte[] key = key();
            byte[] value = value(random.nextInt(100));
            tx.put(space, key, value);
            model.put(space.name(), key, value);
          }
        });
      }
    }

    private byte[] key() {
      return ("k" + random.nextInt(900)).getBytes(UTF_8);
    }

    private byte[] value(int bytes) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      return value;
    }

    private void put(Space space, byte[] key, int bytes) {
      byte[] value = value(bytes);
      space.with(Durability.BACKGROUND).put(key, value);
      model.put(space.name(), key, value);
    }

    /// Ends the process in the middle of things, with all that was committed in the log.
    void crash() {
      store.awaitDurable(store.lastCommit());
      SimulatedDisk after = disk.processCrash();
      try {
        store.close();
      } catch (io.varve.VarveException e) {
        // The disk is off.
      }
      disk = after;
    }

    void crashOrClose() {
      if (random.nextBoolean()) {
        crash();
      } else {
        store.close();
      }
    }
  }

  private record Salvaged(SalvageReport report, Model model) {}

  private static Salvaged salvage(SimulatedDisk damaged) {
    SimulatedDisk target = new SimulatedDisk(9);
    SalvageReport report = SimulatedStore.salvage(damaged, target, options(damaged));
    assertThat(options(target).encryption()).isEqualTo(options(damaged).encryption());
    try (Store store = SimulatedStore.open(target, options(target))) {
      store.verify().requireSound();
      assertThat(store.spaceNames()).noneMatch(name -> name.startsWith("salvage-"));
      return new Salvaged(report, Model.of(store));
    }
  }

  private static void zero(SimulatedDisk disk, String name, long from, int bytes)
      throws IOException {
    byte[] content = disk.content(name);
    for (long at = from; at < Math.min(content.length, from + bytes); at++) {
      for (int bit = 0; bit < 8; bit++) {
        if ((content[(int) at] & 1 << bit) != 0) {
          disk.flipBit(name, at, bit);
        }
      }
    }
  }

  private static void destroySuperblocks(SimulatedDisk disk) throws IOException {
    zero(disk, "pages", 0, 4096);
    zero(disk, "pages", 16384, 4096);
  }

  @Test
  void anUndamagedStoreComesOutTheSame() {
    for (int seed = 1; seed <= 12; seed++) {
      History history = new History(seed);
      history.work(history.random.nextInt(1500));
      history.crashOrClose();
      Salvaged salvaged = salvage(history.disk);
      history.model.requireEqual(salvaged.model, "seed " + seed);
      assertThat(salvaged.report.losses()).as("seed " + seed).isEmpty();
      assertThat(salvaged.report.isComplete()).isTrue();
    }
  }

  /// A crash that loses weak commits leaves a torn tail, which is no damage: the salvage gives what
  /// a recovery gives.
  @Test
  void aTornTailIsNoLoss() {
    for (int seed = 1; seed <= 12; seed++) {
      History history = new History(seed);
      history.work(history.random.nextInt(600));
      SimulatedDisk after = history.disk.powerCut();
      try {
        history.store.close();
      } catch (io.varve.VarveException e) {
        // The disk is off.
      }
      Salvaged salvaged = salvage(after.copy());
      try (Store recovered = SimulatedStore.open(after, options(after))) {
        Model.of(recovered).requireEqual(salvaged.model, "seed " + seed);
      }
      assertThat(salvaged.report.losses()).as("seed " + seed).isEmpty();
    }
  }

  /// The catalog is found by search then, and all of the log is applied.
  @Test
  void withoutSuperblocksNothingIsLost() throws IOException {
    for (int seed = 1; seed <= 12; seed++) {
      History history = new History(seed);
      history.work(history.random.nextInt(1500));
      history.crashOrClose();
      destroySuperblocks(history.disk);
      Salvaged salvaged = salvage(history.disk);
      history.model.requireEqual(salvaged.model, "seed " + seed);
      assertThat(salvaged.report.isComplete()).isFalse();
    }
  }

  /// The log makes a space under its first name, which another one may have by now.
  @Test
  void withoutSuperblocksRenamedSpacesAreNotMixed() throws IOException {
    for (boolean checkpoint : new boolean[] {false, true}) {
      SimulatedDisk disk = new SimulatedDisk(1);
      Store store = SimulatedStore.open(disk, StoreOptions.defaults());
      byte[] key = {1};
      store.space("a").put(key, new byte[] {1});
      assertThat(store.renameSpace("a", "b")).isTrue();
      store.space("a").put(key, new byte[] {2});
      if (checkpoint) {
        store.checkpoint();
      }
      store.space("b").put(new byte[] {2}, new byte[] {3});
      SimulatedDisk crashed = disk.processCrash();
      store.close();
      destroySuperblocks(crashed);
      Model salvaged = salvage(crashed).model;
      assertThat(salvaged.get("b", key)).containsExactly(1);
      assertThat(salvaged.get("a", key)).containsExactly(2);
      assertThat(salvaged.get("b", new byte[] {2})).containsExactly(3);
    }
  }

  @Test
  void eitherSuperblockWillDo() throws IOException {
    for (int seed = 1; seed <= 8; seed++) {
      History history = new History(seed);
      history.work(history.random.nextInt(1500));
      history.crashOrClose();
      zero(history.disk, "pages", seed % 2 * 16384L, 4096);
      Salvaged salvaged = salvage(history.disk);
      history.model.requireEqual(salvaged.model, "seed " + seed);
      assertThat(salvaged.report.losses()).isEmpty();
    }
  }

  /// With every catalog and inner page destroyed, all entries are in leaves that are found by
  /// search; the names of spaces are lost with the catalogs.
  @Test
  void withoutCatalogsAndInnerPagesEveryEntryIsFound() throws IOException {
    for (int seed = 1; seed <= 8; seed++) {
      History history = new History(seed);
      history.work(history.random.nextInt(1500));
      history.store.close();
      SimulatedDisk damaged = history.disk.copy();
      destroySuperblocks(damaged);
      destroyImages(damaged, Set.of(Kind.CATALOG, Kind.INNER));
      Salvaged salvaged = salvage(damaged);
      Current current = Current.of(history.disk);
      for (Current.Found entry : current.entries) {
        byte[] value = history.model.get(entry.space, entry.key);
        assertThat(salvaged.model.get("space-" + entry.spaceId, entry.key))
            .as("seed " + seed)
            .isEqualTo(value);
      }
    }
  }

  /// Zeroed sectors anywhere in the page file: every entry whose leaf and value are elsewhere comes
  /// out as it was.
  @Test
  void everyEntryOfAnIntactLeafIsRecovered() throws IOException {
    int lost = 0;
    for (int seed = 1; seed <= 8; seed++) {
      History history = new History(seed);
      history.work(500 + history.random.nextInt(1500));
      history.store.close();
      Current current = Current.of(history.disk);
      SimulatedDisk damaged = history.disk.copy();
      int sectors = damaged.content("pages").length / 512;
      Set<Long> zeroed = new HashSet<>();
      for (int i = 1 + history.random.nextInt(30); i > 0; i--) {
        long sector = 64 + history.random.nextInt(Math.max(1, sectors - 64));
        zeroed.add(sector);
        zero(damaged, "pages", sector * 512, 512);
      }
      Salvaged salvaged = salvage(damaged);
      for (Current.Found entry : current.entries) {
        if (entry.isIn(zeroed)) {
          lost++;
        } else {
          assertThat(salvaged.model.get(entry.space, entry.key))
              .as("seed " + seed + " key " + new String(entry.key, UTF_8))
              .isEqualTo(history.model.get(entry.space, entry.key));
        }
      }
    }
    assertThat(lost).as("entries in damaged leaves").isPositive();
  }

  /// A damaged log record costs that commit, and no other.
  @Test
  void everyIntactLogRecordIsApplied() throws IOException {
    for (int seed = 1; seed <= 10; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      SplittableRandom random = new SplittableRandom(seed);
      Store store = SimulatedStore.open(disk, TINY.log(log -> log.bytesMax(64 << 20)));
      Space space = store.space("s");
      int count = 300;
      for (int i = 0; i < count; i++) {
        byte[] value = new byte[100 + random.nextInt(200)];
        random.nextBytes(value);
        space.put(("key" + i).getBytes(UTF_8), value);
      }
      SimulatedDisk after = disk.powerCut();
      try {
        store.close();
      } catch (io.varve.VarveException e) {
        // The disk is off.
      }
      byte[] victim = ("key" + (50 + random.nextInt(200))).getBytes(UTF_8);
      String segment = "";
      int at = -1;
      for (String name : after.fileNames()) {
        if (at < 0 && name.endsWith(".log")) {
          segment = name;
          at = indexOf(after.content(name), victim);
        }
      }
      after.flipBit(segment, at, 1);
      if (seed % 2 == 0) {
        zero(after, segment, 0, 4096); // and the header, too
      }
      Salvaged salvaged = salvage(after);
      assertThat(salvaged.report.isComplete()).isFalse();
      assertThat(salvaged.report.losses().getFirst().toString()).contains(".log", "offset=");
      assertThat(salvaged.model.entryCount()).as("seed " + seed).isEqualTo(count - 1);
    }
  }

  /// A block that the disk cannot read costs what one of zeros does, and is reported.
  @Test
  void blocksThatCannotBeReadAreLosses() throws IOException {
    for (int seed = 1; seed <= 8; seed++) {
      History history = new History(seed);
      history.work(500 + history.random.nextInt(500));
      history.store.checkpoint();
      history.work(history.random.nextInt(200));
      history.crash();
      SimulatedDisk damaged = history.disk;
      List<String> files =
          damaged.fileNames().stream()
              .filter(name -> name.equals("pages") || name.endsWith(".log"))
              .toList();
      for (String name : files) {
        int blocks = (damaged.content(name).length + 4095) / 4096;
        long offset = 4096L * (seed % 3 == 0 ? 0 : history.random.nextInt(blocks));
        SimulatedDisk zeroed = damaged.copy();
        zero(zeroed, name, offset, 4096);
        SimulatedDisk unreadable = damaged.copy();
        unreadable.faults(
            FaultPlan.always(
                call ->
                    call.operation() == DiskOperation.READ
                        && call.name().equals(name)
                        && call.position() < offset + 4096
                        && call.position() + call.length() > offset,
                Fault.IO_ERROR));
        Salvaged salvaged = salvage(unreadable);
        salvage(zeroed).model.requireEqual(salvaged.model, "seed " + seed + ", " + name);
        if (offset == 0) { // a superblock, or the header of a segment
          assertThat(salvaged.report.losses().toString())
              .contains(name, "offset=0", "cannot be read");
        }
      }
    }
  }

  /// Values in extents of their own are put by transactions, which nothing forces.
  @Test
  void valuesOutsideTheirLeavesAreNotForcedOneByOne(@TempDir Path directory) {
    Path damaged = directory.resolve("damaged");
    try (Store store = Store.open(damaged, TINY)) {
      store.transact(tx -> {
        for (int i = 0; i < 1_000; i++) {
          tx.put(store.space("s"), ("key" + i).getBytes(UTF_8), new byte[4096]);
        }
      });
    }
    AtomicInteger forces = new AtomicInteger();
    try (Disk source = FileDisk.open(damaged, false)) {
      StoreSalvager.salvage(
          source,
          counting(FileDisk.open(directory.resolve("target"), true), forces),
          Clock.SYSTEM,
          StoreThreads.PLATFORM,
          StoreOptions.defaults(),
          ProgressListener.none());
    }
    assertThat(forces.get()).isLessThan(100);
  }

  /// A disk that counts forces, and writes that are durable when they return.
  private static Disk counting(Disk disk, AtomicInteger forces) {
    return proxy(
        Disk.class,
        disk,
        (method, arguments, result) -> {
          if (!(result instanceof DiskFile file)) {
            return result;
          }
          boolean isSynchronous = List.of((FileOption[]) arguments[1]).contains(FileOption.DSYNC);
          return proxy(
              DiskFile.class,
              file,
              (call, _, done) -> {
                if (call.equals("force") || (isSynchronous && call.equals("write"))) {
                  forces.incrementAndGet();
                }
                return done;
              });
        });
  }

  private interface AfterCall {
    @Nullable Object result(String method, Object[] arguments, @Nullable Object result);
  }

  private static <T> T proxy(Class<T> type, T called, AfterCall after) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          try {
            return after.result(method.getName(), arguments, method.invoke(called, arguments));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aTargetThatIsNotEmptyAndASourceThatIsNoStoreAreRefused() {
    SimulatedDisk empty = new SimulatedDisk(1);
    assertThatThrownBy(() -> SimulatedStore.salvage(empty, new SimulatedDisk(2), TINY))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no page file");
    History history = new History(1);
    history.store.close();
    assertThatThrownBy(() -> SimulatedStore.salvage(history.disk, history.disk, TINY))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("empty directory");
  }

  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int at = 0; at + wanted.length <= bytes.length; at++) {
      if (java.util.Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }

  /// Zeroes the header of every image of some kinds, live or not.
  private static void destroyImages(SimulatedDisk disk, Set<Kind> kinds) throws IOException {
    List<Long> offsets = new ArrayList<>();
    try (PageFile file = open(disk)) {
      io.varve.internal.file.ImageScan.run(
          file,
          (kind, extent, _) -> {
            if (kinds.contains(kind)) {
              offsets.add(Extent.offset(extent));
            }
          },
          _ -> {});
    }
    for (long offset : offsets) {
      zero(disk, "pages", offset, 32);
    }
  }

  private static PageFile open(SimulatedDisk disk) throws IOException {
    MemoryDisk copy = new MemoryDisk();
    for (String name : disk.fileNames()) {
      if (name.equals("pages") || name.equals("keys")) {
        try (DiskFile file = copy.open(name, FileOption.CREATE)) {
          file.write(0, ByteBuffer.wrap(disk.content(name)));
        }
      }
    }
    Keyring keys = Keyring.open(copy, KEY);
    return PageFile.open(copy, "pages", keys == null ? null : keys.dataKey(), null);
  }

  /// Where the entries of a store that was closed are.
  private static final class Current {
    record Found(String space, int spaceId, byte[] key, List<Long> extents) {
      boolean isIn(Set<Long> sectors) {
        for (long extent : extents) {
          for (int i = 0; i < Extent.units(extent); i++) {
            if (sectors.contains(Extent.unit(extent) + i)) {
              return true;
            }
          }
        }
        return false;
      }
    }

    final List<Found> entries = new ArrayList<>();

    static Current of(SimulatedDisk disk) throws IOException {
      Current current = new Current();
      try (PageFile file = open(disk)) {
        Superblock newest = Superblock.readNewest(file);
        assertThat(newest).isNotNull();
        Catalog catalog = Catalog.read(file, newest.catalogExtent(), newest.catalogChecksum());
        for (Catalog.SpaceRoot root : catalog.spaces()) {
          if (DroppedSpaces.isDropped(root.id(), root.name())) {
            continue; // being removed, in no space any more
          }
          current.walk(file, root, root.level(), root.extent(), root.checksum());
        }
      }
      return current;
    }

    private void walk(PageFile file, Catalog.SpaceRoot root, int level, long extent, int checksum)
        throws IOException {
      byte[] image = file.read(extent, level == 0 ? Kind.LEAF : Kind.INNER, checksum);
      if (level > 0) {
        Branches branches = PageImage.toBranches(image, image[9]);
        for (int i = 0; i < branches.count(); i++) {
          Node child = branches.child(i);
          walk(file, root, child.level(), child.extent(), child.checksum());
        }
        return;
      }
      byte[] page = PageImage.toLeaf(image);
      for (int i = 0; i < LeafPage.count(page); i++) {
        List<Long> extents = new ArrayList<>(List.of(extent));
        if (LeafPage.isLarge(page, i)) {
          LargeValues.forEachImage(
              file, LeafPage.value(page, i), (_, part, _) -> extents.add(part));
        }
        entries.add(new Found(root.name(), root.id(), LeafPage.key(page, i), extents));
      }
    }
  }
}
