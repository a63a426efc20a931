package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.admin.Backups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A store that is open read-only shows what it holds, log to recover included, refuses changes,
/// and leaves its directory as it was.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadOnlyTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path directory;

  private final Model model = new Model();

  /// What a file or directory is known by.
  private record Trace(long bytes, int hash, FileTime modified) {}

  /// All that is below a path.
  private static Map<Path, Trace> traces(Path root) throws IOException {
    Map<Path, Trace> traces = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.isDirectory(file) ? new byte[0] : Files.readAllBytes(file);
        traces.put(
            file, new Trace(bytes.length, Arrays.hashCode(bytes), Files.getLastModifiedTime(file)));
      }
    }
    return traces;
  }

  private void fill(Store store) {
    for (int i = 0; i < 500; i++) {
      byte[] key = Bytes.of("key" + i);
      byte[] value = new byte[i % 100 == 0 ? 5000 : 40];
      Arrays.fill(value, (byte) i);
      store.space("s").with(Durability.BACKGROUND).put(key, value);
      model.put("s", key, value);
    }
  }

  private Path closedStore(StoreOptions options) throws IOException {
    Path path = directory.resolve("store");
    try (Store store = Store.open(path, options)) {
      fill(store);
    }
    age(path);
    return path;
  }

  /// The files that a kill leaves, with commits after the last checkpoint.
  private Path killedStore(StoreOptions options) throws IOException {
    Path path = directory.resolve("killed");
    try (Store store = Store.open(directory.resolve("running"), options)) {
      fill(store);
      store.checkpoint();
      byte[] key = Bytes.of("late");
      store.space("t").put(key, key);
      model.put("t", key, key);
      KilledStore.copy(directory.resolve("running"), path);
    }
    age(path);
    return path;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void age(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, LONG_AGO);
      }
    }
  }

  private void requireReadUnchanged(Path path, StoreOptions options) throws IOException {
    Map<Path, Trace> before = traces(path);
    Footprint footprint = Footprint.now();
    for (int i = 0; i < 2; i++) {
      try (Store store = Store.open(path, options.readOnly(true))) {
        model.requireEqual(Model.of(store), "read-only");
        store.verify().requireSound();
        model.requireEqual(Model.of(store), "after its verification");
      }
      assertThat(traces(path)).isEqualTo(before);
      footprint.requireNothingMore();
    }
    try (Store store = Store.open(path, options)) {
      model.requireEqual(Model.of(store), "opened for writing");
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      store.verify().requireSound();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedStoreIsReadWithoutAChange(boolean encrypted) throws IOException {
    StoreOptions options = Stores.tiny(encrypted);
    requireReadUnchanged(closedStore(options), options);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void killedStoreIsReadWithoutAChange(boolean encrypted) throws IOException {
    StoreOptions options = Stores.tiny(encrypted);
    requireReadUnchanged(killedStore(options), options);
  }

  @Test
  void compressedStoreThatKeepsItsLogIsReadWithoutAChange() throws IOException {
    StoreOptions options = Stores.tiny().compression("deflate").archiveLog(true);
    requireReadUnchanged(killedStore(options), options);
  }

  /// Also without the lock file, which the open does not make.
  @Test
  void noFileIsMade() throws IOException {
    Path path = killedStore(Stores.tiny());
    Files.delete(path.resolve("lock"));
    age(path);
    Map<Path, Trace> before = traces(path);
    try (Store store = Store.open(path, Stores.tiny().readOnly(true))) {
      model.requireEqual(Model.of(store), "without a lock file");
      assertThatThrownBy(() -> Store.open(path, Stores.tiny()))
          .isInstanceOf(StoreLockedException.class);
    }
    assertThat(traces(path)).isEqualTo(before);
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> Store.open(missing, Stores.tiny().readOnly(true)))
        .isInstanceOf(StoreIoException.class);
    assertThat(missing).doesNotExist();
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(() -> Store.open(empty, Stores.tiny().readOnly(true)))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("no store there");
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void changesAreRefused() throws IOException {
    Path path = killedStore(Stores.tiny());
    Map<Path, Trace> before = traces(path);
    try (Store store = Store.open(path, Stores.tiny().readOnly(true))) {
      Space space = store.space("s");
      byte[] key = Bytes.of("key1");
      requireRefused("commit", path, () -> space.put(key, key));
      requireRefused("commit", path, () -> space.put(key, new byte[100_000]));
      requireRefused("commit", path, () -> space.delete(key));
      requireRefused("commit", path, () -> store.transact(tx -> tx.put(space, key, key)));
      requireRefused("commit", path, () -> store.space("new"));
      requireRefused("drop", path, () -> store.dropSpace("s"));
      requireRefused("checkpoint", path, store::checkpoint);
      requireRefused("compaction", path, store::compact);
      requireRefused("backup", path, () -> Backups.at(directory.resolve("backup")).take(store));
      assertThatThrownBy(() -> space.async().put(key, key).toCompletableFuture().join())
          .hasMessageContaining("open read-only");
      store.transact(tx -> assertThat(tx.get(space, key)).isNotNull()); // changes nothing
      model.requireEqual(Model.of(store), "after refusals");
    }
    assertThat(traces(path)).isEqualTo(before);
    assertThat(directory.resolve("backup")).doesNotExist();
  }

  private static void requireRefused(String what, Path path, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open read-only")
        .hasMessageContaining("refused=" + what)
        .hasMessageContaining(path.toString());
  }

  /// What a replay changes has bounds in memory, and reports it, rather than to take the heap.
  @Test
  void recoveryIsBoundedByTheCache() {
    StoreOptions options = Stores.tiny().log(log -> log.bytesMax(64 << 20).segmentBytes(4 << 20));
    SimulatedDisk disk = new SimulatedDisk(1);
    SplittableRandom random = new SplittableRandom(3);
    try (Store store = SimulatedStore.open(disk, options.cacheBytes(64 << 20))) {
      for (int i = 0; i < 8_000; i++) {
        byte[] value = new byte[900];
        random.nextBytes(value);
        byte[] key = Bytes.of(String.format("%08d", random.nextInt(1 << 26)));
        store.space("s").with(Durability.BACKGROUND).put(key, value);
        model.put("s", key, value);
      }
      SimulatedDisk crashed = disk.copy();
      assertThatThrownBy(() -> SimulatedStore.open(crashed, options.readOnly(true)))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("not enough memory")
          .hasMessageContaining("raise cacheBytes")
          .hasStackTraceContaining("no memory for the changes");
      long calls = crashed.mutatingCalls();
      StoreOptions larger = options.cacheBytes(8 << 20).readOnly(true);
      try (Store recovered = SimulatedStore.open(crashed, larger)) {
        model.requireEqual(Model.of(recovered), "with more memory");
      }
      assertThat(crashed.mutatingCalls()).isEqualTo(calls);
    }
  }

  /// Guards against an open of items that drops or merges what a crash has left.
  @Test
  void itemsThatACrashLeftInLayersAreRead() {
    SimulatedDisk disk = UnmergedItems.disk(3000);
    long calls = disk.mutatingCalls();
    try (Store store = SimulatedStore.open(disk, UnmergedItems.OPTIONS.readOnly(true))) {
      assertThat(store.items("items").count()).isEqualTo(3000);
      assertThat(store.spaceNames()).anyMatch(name -> name.startsWith("items~layer-"));
    }
    assertThat(disk.mutatingCalls()).isEqualTo(calls);
  }

  @Test
  void damageIsFound() throws IOException {
    Path path = closedStore(Stores.tiny());
    byte[] pages = Files.readAllBytes(path.resolve("pages"));
    for (int i = pages.length / 4; i < pages.length / 4 * 3; i += 1000) {
      pages[i] ^= 1;
    }
    Files.write(path.resolve("pages"), pages);
    age(path);
    Map<Path, Trace> before = traces(path);
    try (Store store = Store.open(path, Stores.tiny().readOnly(true))) {
      assertThat(store.verify().problems())
          .isNotEmpty()
          .anyMatch(problem -> problem.contains(path.resolve("pages").toString()));
    }
    assertThat(traces(path)).isEqualTo(before);
  }

  @Test
  void oneProcessAtATime() throws Exception {
    Path path = closedStore(Stores.tiny());
    Map<Path, Trace> before = traces(path);
    StoreOptions readOnly = Stores.tiny().readOnly(true);
    try (Store store = Store.open(path, readOnly)) {
      assertThatThrownBy(() -> Store.open(path, readOnly)).isInstanceOf(StoreLockedException.class);
      try (ChildJvm child = ChildJvm.start(LockChild.class, path.toString())) {
        assertThat(child.readLine()).startsWith("refused").contains("read-only names no holder");
      }
      model.requireEqual(Model.of(store), "locked");
    }
    assertThat(traces(path)).isEqualTo(before);
    try (ChildJvm child = ChildJvm.start(LockChild.class, path.toString())) {
      assertThat(child.readLine()).isEqualTo("opened");
      assertThatThrownBy(() -> Store.open(path, readOnly))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("holderPid=" + child.pid());
      child.kill();
      child.exitCode();
    }
  }

  /// Where nothing can be written, readers share a lock that no writer gets.
  @Test
  void readOnlyVolumeIsRead() throws Exception {
    Path killed = killedStore(Stores.tiny());
    Path mountPoint = Files.createDirectory(directory.resolve("volume"));
    try (Volume volume = Volume.tmpfs(mountPoint, 16 << 20)) {
      Path inside = mountPoint.resolve("store");
      copy(killed, inside);
      volume.makeReadOnly();
      Map<Path, Trace> before = traces(inside);
      try (Store store = Store.open(inside, Stores.tiny().readOnly(true))) {
        model.requireEqual(Model.of(store), "on a read-only volume");
        store.verify().requireSound();
        volume.makeWritable();
        try (ChildJvm child = ChildJvm.start(LockChild.class, inside.toString())) {
          assertThat(child.readLine()).startsWith("refused");
        }
      }
      assertThat(traces(inside)).isEqualTo(before);
    }
  }
}
