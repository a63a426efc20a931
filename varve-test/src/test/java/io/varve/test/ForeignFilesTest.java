package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.UnsupportedFormatException;
import io.varve.VarveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is where a file of the store should be, and is none: the open names it and states what to
/// do, and leaves no thread and no open file. It harms nothing, so that the store opens when it is
/// put right.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignFilesTest {
  /// One more than the numbers of stores in clear, encrypted, compressed, and both.
  private static final int NEWER_VERSION = 5;

  @TempDir Path directory;

  private final Model model = new Model();
  private Path store = Path.of("");

  /// Puts something in the way.
  @FunctionalInterface
  private interface Sabotage {
    void run() throws IOException;
  }

  @BeforeEach
  void writeStore() throws IOException {
    store = directory.resolve("store");
    Path crashed = directory.resolve("crashed");
    try (Store open = Store.open(store, Stores.tiny())) {
      for (int i = 0; i < 200; i++) {
        byte[] key = Bytes.of("key" + i);
        open.space("s").with(Durability.BACKGROUND).put(key, key);
        model.put("s", key, key);
      }
      open.checkpoint();
      for (int i = 0; i < 50; i++) {
        byte[] key = Bytes.of("late" + i);
        open.space("s").put(key, key);
        model.put("s", key, key);
      }
      KilledStore.copy(store, crashed);
    }
    delete(store);
    Files.move(crashed, store); // with its log
    Files.deleteIfExists(store.resolve("lock"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private Path segment() throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("log"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().findFirst().get();
    }
  }

  /// Opens the store with something in the way, and again without.
  private void requireRefused(
      Class<? extends VarveException> kind, Path named, String advice, Sabotage sabotage)
      throws IOException {
    Path kept = directory.resolve("kept");
    copy(store, kept);
    sabotage.run();
    Footprint before = Footprint.now();
    assertThatThrownBy(() -> Store.open(store, Stores.tiny()))
        .isInstanceOf(kind)
        .hasMessageContaining(named.toString())
        .hasMessageContaining(advice);
    before.requireNothingMore();
    delete(store);
    Files.move(kept, store);
    try (Store open = Store.open(store, Stores.tiny())) {
      model.requireEqual(Model.of(open), "put right");
      open.verify().requireSound();
    }
    before.requireNothingMore();
  }

  private void replaceByDirectory(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createDirectory(file);
  }

  @Test
  void fileInPlaceOfTheDirectory() throws IOException {
    requireRefused(
        StoreIoException.class,
        store,
        "name a directory or remove the file",
        () -> {
          delete(store);
          Files.writeString(store, "not a store");
        });
  }

  @Test
  void directoryInPlaceOfThePageFile() throws IOException {
    Path file = store.resolve("pages");
    requireRefused(StoreIoException.class, file, "move", () -> replaceByDirectory(file));
  }

  @Test
  void directoryInPlaceOfTheLock() throws IOException {
    Path file = store.resolve("lock");
    requireRefused(StoreIoException.class, file, "move", () -> replaceByDirectory(file));
  }

  @Test
  void directoryInPlaceOfTheRing() throws IOException {
    Path file = store.resolve("log/ring");
    requireRefused(StoreIoException.class, file, "move", () -> replaceByDirectory(file));
  }

  @Test
  void directoryInPlaceOfASegment() throws IOException {
    Path file = segment();
    requireRefused(StoreIoException.class, file, "move", () -> replaceByDirectory(file));
  }

  @Test
  void fileInPlaceOfTheLogDirectory() throws IOException {
    Path log = store.resolve("log");
    requireRefused(
        VarveException.class,
        log,
        "move",
        () -> {
          delete(log);
          Files.writeString(log, "no directory");
        });
  }

  @Test
  void emptyPageFile() throws IOException {
    Path file = store.resolve("pages");
    requireRefused(VarveException.class, file, "restore", () -> Files.write(file, new byte[0]));
  }

  @Test
  void textInPlaceOfThePageFile() throws IOException {
    Path file = store.resolve("pages");
    requireRefused(
        VarveException.class, file, "restore", () -> Files.writeString(file, "x".repeat(99_999)));
  }

  @Test
  void missingPageFile() throws IOException {
    Path file = store.resolve("pages");
    requireRefused(VarveException.class, file, "restore", () -> Files.delete(file));
  }

  @Test
  void emptySegment() throws IOException {
    Path log = store.resolve("log");
    Path file = segment();
    requireRefused(VarveException.class, log, "backup", () -> Files.write(file, new byte[0]));
  }

  @Test
  void segmentOfAnotherStore() throws IOException {
    Path other = directory.resolve("other");
    try (Store open = Store.open(other, Stores.tiny())) {
      open.space("s").put(Bytes.of("k"), Bytes.of("v"));
      Path foreign = store.resolve("log/00000000000000000099.log");
      requireRefused(
          VarveException.class,
          foreign,
          "move it away",
          () -> {
            try (Stream<Path> files = Files.list(other.resolve("log"))) {
              Path first = files.filter(f -> f.toString().endsWith(".log")).findFirst().get();
              Files.copy(first, foreign);
            }
          });
    }
  }

  /// The number of the format is raised, and its checksum made right.
  @Test
  void pageFileOfANewerVersion() throws IOException {
    Path file = store.resolve("pages");
    requireRefused(
        UnsupportedFormatException.class,
        file,
        "open this store with the version of Varve that wrote it",
        () -> {
          byte[] bytes = Files.readAllBytes(file);
          for (int slot : new int[] {0, 16384}) {
            raise(bytes, slot, 4092);
          }
          Files.write(file, bytes);
        });
  }

  @Test
  void segmentOfANewerVersion() throws IOException {
    Path file = segment();
    requireRefused(
        UnsupportedFormatException.class,
        file,
        "open the store with the version of Varve that wrote it",
        () -> {
          byte[] bytes = Files.readAllBytes(file);
          for (int copy : new int[] {0, 2048}) {
            raise(bytes, copy, 76);
          }
          Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        });
  }

  private static void raise(byte[] bytes, int at, int checkedBytes) {
    ByteBuffer block =
        ByteBuffer.wrap(bytes, at, bytes.length - at).slice().order(ByteOrder.LITTLE_ENDIAN);
    block.putInt(8, NEWER_VERSION);
    var crc = new CRC32C();
    crc.update(bytes, at, checkedBytes);
    block.putInt(checkedBytes, (int) crc.getValue());
  }

  /// Files that are not the store's are left alone.
  @Test
  void otherFilesStayAsTheyAre() throws IOException {
    Path notes = Files.writeString(store.resolve("notes.txt"), "mine");
    Path inLog = Files.writeString(store.resolve("log/notes.txt"), "mine");
    Files.createDirectory(store.resolve("sub"));
    try (Store open = Store.open(store, Stores.tiny())) {
      model.requireEqual(Model.of(open), "next to other files");
    }
    assertThat(notes).hasContent("mine");
    assertThat(inLog).hasContent("mine");
    assertThat(store.resolve("sub")).isEmptyDirectory();
  }

  /// A volume that cannot be written: nothing could be recovered or locked there.
  @Test
  void readOnlyVolume() throws Exception {
    Path image = directory.resolve("volume");
    Files.createDirectory(image);
    try (Volume volume = Volume.tmpfs(image, 16 << 20)) {
      Path inside = image.resolve("store");
      copy(store, inside);
      byte[] before = Files.readAllBytes(inside.resolve("pages"));
      volume.makeReadOnly();
      Footprint footprint = Footprint.now();
      assertThatThrownBy(() -> Store.open(inside, Stores.tiny()))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining(inside.toString())
          .hasMessageContaining("read-only file system")
          .hasMessageContaining("mount it writable");
      footprint.requireNothingMore();
      assertThat(Arrays.equals(before, Files.readAllBytes(inside.resolve("pages")))).isTrue();
      volume.makeWritable();
      try (Store open = Store.open(inside, Stores.tiny())) {
        model.requireEqual(Model.of(open), "writable again");
      }
    }
  }
}
