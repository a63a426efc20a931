package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreLockedException;
import io.varve.VarveException;
import io.varve.admin.Salvage;
import io.varve.admin.StoreKeys;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One process at a time: a second open is refused with the holder's process id, and the lock dies
/// with the process.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockTest {
  @TempDir Path directory;

  @Test
  void secondOpenInThisProcessNamesIt() throws IOException {
    Path path = directory.resolve("store");
    try (Store store = Store.open(path, Stores.tiny())) {
      requireLocked(path, ProcessHandle.current().pid());
      Path alias = Files.createSymbolicLink(directory.resolve("alias"), path);
      requireLocked(alias, ProcessHandle.current().pid());
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
    }
    try (Store store = Store.open(path, Stores.tiny())) {
      assertThat(store.space("s").get(Bytes.of("k"))).isEqualTo(Bytes.of("v"));
    }
  }

  @Test
  void secondOpenInAnotherProcessNamesTheHolder() throws Exception {
    try (ChildJvm child = ChildJvm.start(LockChild.class, directory.toString())) {
      assertThat(child.readLine()).isEqualTo("opened");
      requireLocked(directory, child.pid());
      requireLocked(directory, child.pid());
      child.kill();
      child.exitCode();
    }
    try (Store store = Store.open(directory, Stores.tiny())) {
      store.verify().requireSound();
    }
  }

  @Test
  void refusedOpenChangesNothing() {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, Stores.tiny());
    Thread refused = Thread.currentThread(); // threads of the open store may write on
    disk.faults(
        FaultPlan.always(
            call -> Thread.currentThread() == refused && call.operation().isMutating(),
            Fault.POWER_CUT));
    assertThatThrownBy(() -> SimulatedStore.open(disk, Stores.tiny()))
        .isInstanceOf(StoreLockedException.class);
    disk.faults(FaultPlan.none());
    assertThat(disk.isOff()).as("the disk was changed").isFalse();
    store.close();
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  /// An open that fails gives the lock back.
  @Test
  void failedOpenHoldsNoLock() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedStore.open(disk, Stores.tiny()).close();
    disk.faults(FaultPlan.always(call -> call.operation() == DiskOperation.READ, Fault.IO_ERROR));
    assertThatThrownBy(() -> SimulatedStore.open(disk, Stores.tiny()))
        .isNotInstanceOf(StoreLockedException.class);
    disk.faults(FaultPlan.none());
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  /// A refused open closes channels. Guards against one from another class loader that closes a
  /// channel of a locked file, which would release the lock of the whole process.
  @Test
  void refusedOpenInAnotherClassLoaderLeavesTheLock() throws Exception {
    try (Store store = Store.open(directory, Stores.tiny());
        URLClassLoader other = otherLoader();
        URLClassLoader third = otherLoader()) {
      for (URLClassLoader loader : List.of(other, third)) {
        assertThat(refusalIn(loader, directory))
            .contains("another class loader of this process")
            .contains("holderPid=" + ProcessHandle.current().pid())
            .contains(directory.toString());
      }
      requireRefusedElsewhere(directory);
      Files.delete(directory.resolve("lock"));
      assertThat(refusalIn(other, directory)).contains("another class loader of this process");
      requireLocked(directory, ProcessHandle.current().pid());
      requireRefusedElsewhere(directory);
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
    }
    assertThat(System.getProperties().stringPropertyNames())
        .noneMatch(name -> name.startsWith("io.varve.held"));
  }

  /// A program that replaces the properties of the system takes the entries of all open stores with
  /// them.
  @Test
  void lockIsKeptWhenThePropertiesAreReplaced() throws Exception {
    Properties present = System.getProperties();
    try (Store store = Store.open(directory, Stores.tiny());
        URLClassLoader other = otherLoader()) {
      Properties copy = new Properties();
      present.stringPropertyNames().stream()
          .filter(name -> !name.startsWith("io.varve"))
          .forEach(name -> copy.setProperty(name, present.getProperty(name)));
      System.setProperties(copy);
      assertThat(refusalIn(other, directory)).contains("open in another class loader");
      System.setProperties(present);
      requireRefusedElsewhere(directory);
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
    } finally {
      System.setProperties(present);
    }
  }

  /// The lock is on the page file as well, whatever leads to it.
  @Test
  void deletedLockFileAndOtherPathsLetNobodyIn() throws Exception {
    Path path = directory.resolve("store");
    Path alias = Files.createDirectory(directory.resolve("alias"));
    Path linked = Files.createDirectory(directory.resolve("linked"));
    try (Store store = Store.open(path, Stores.tiny())) {
      Files.createSymbolicLink(alias.resolve("pages"), path.resolve("pages"));
      Files.createLink(linked.resolve("pages"), path.resolve("pages"));
      Files.delete(path.resolve("lock"));
      for (Path other : List.of(path, alias, linked)) {
        requireLocked(other, ProcessHandle.current().pid());
        requireRefusedElsewhere(other);
      }
      store.checkpoint();
    }
    Store.open(path, Stores.tiny()).close();
  }

  /// Salvage and a change of the key open no store, and must not reach one that is open.
  @Test
  void salvageAndRekeyAreRefusedWithoutTheLockFile() throws Exception {
    try (Store store = Store.open(directory.resolve("store"), Stores.tiny())) {
      Path path = directory.resolve("store");
      Files.delete(path.resolve("lock"));
      assertThatThrownBy(() -> Salvage.of(path).into(directory.resolve("saved")))
          .isInstanceOf(StoreLockedException.class);
      KeySource key = KeySource.of(new byte[KeySource.KEY_BYTES]);
      assertThatThrownBy(() -> StoreKeys.change(path, key, key))
          .isInstanceOf(StoreLockedException.class);
      requireRefusedElsewhere(path);
      store.checkpoint();
    }
  }

  /// The last line: the locks are lost, since something in this process read the files. Another
  /// process opens the store, and this one writes no superblock over those of the other.
  @Test
  void checkpointOverAnotherOpenerFailsTheStore() throws Exception {
    Store store = Store.open(directory, Stores.tiny());
    store.space("s").put(Bytes.of("mine"), Bytes.of("v"));
    Files.readAllBytes(directory.resolve("lock"));
    Files.readAllBytes(directory.resolve("pages"));
    try (ChildJvm child = ChildJvm.start(LockChild.class, directory.toString())) {
      assertThat(child.readLine()).isEqualTo("opened");
      store.space("s").put(Bytes.of("late"), Bytes.of("v"));
      byte[] before = Files.readAllBytes(directory.resolve("pages"));
      assertThatThrownBy(store::checkpoint)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("opened by another process")
          .hasMessageContaining("holderPid=" + child.pid());
      assertThatThrownBy(() -> store.space("s").put(Bytes.of("k"), Bytes.of("v")))
          .isInstanceOf(StoreFailedException.class);
      closeQuietly(store);
      byte[] after = Files.readAllBytes(directory.resolve("pages"));
      for (int slot : new int[] {0, 16384}) {
        assertThat(Arrays.mismatch(before, slot, slot + 4096, after, slot, slot + 4096))
            .isEqualTo(-1);
      }
      child.kill();
      child.exitCode();
    }
    try (Store reopened = Store.open(directory, Stores.tiny())) {
      assertThat(reopened.space("s").get(Bytes.of("mine"))).isEqualTo(Bytes.of("v"));
      assertThat(reopened.space("s").get(Bytes.of("k"))).isEqualTo(Bytes.of("v"));
      reopened.verify().requireSound();
    }
  }

  @Test
  void checkpointWithoutThePageFileFailsTheStore() throws Exception {
    Store store = Store.open(directory, Stores.tiny());
    store.space("s").put(Bytes.of("k"), Bytes.of("v"));
    Files.move(directory.resolve("pages"), directory.resolve("away"));
    assertThatThrownBy(store::checkpoint)
        .isInstanceOf(StoreFailedException.class)
        .rootCause()
        .hasMessageContaining("deleted, moved or replaced")
        .hasMessageContaining(directory.resolve("pages").toString());
    closeQuietly(store);
  }

  private static void closeQuietly(Store store) {
    try {
      store.close();
    } catch (VarveException _) {
      // It failed, and each commit got an exception.
    }
  }

  /// A class loader with a copy of Varve of its own.
  private static URLClassLoader otherLoader() {
    URL varve = Store.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {varve}, ClassLoader.getPlatformClassLoader());
  }

  /// How an open there is refused.
  private static String refusalIn(ClassLoader loader, Path path) throws Exception {
    Class<?> stores = loader.loadClass(Store.class.getName());
    assertThat(stores).isNotSameAs(Store.class);
    try {
      stores.getMethod("open", Path.class).invoke(null, path);
    } catch (InvocationTargetException e) {
      assertThat(e.getCause().getClass().getName()).isEqualTo(StoreLockedException.class.getName());
      return e.getCause().getMessage();
    }
    throw new AssertionError("a second open was not refused");
  }

  /// Another process is refused, and gets the name of this one.
  private static void requireRefusedElsewhere(Path path) throws IOException {
    try (ChildJvm child = ChildJvm.start(LockChild.class, path.toString())) {
      assertThat(child.readLine())
          .startsWith("refused")
          .contains("holderPid=" + ProcessHandle.current().pid());
    }
  }

  private static void requireLocked(Path path, long pid) {
    assertThatThrownBy(() -> Store.open(path, Stores.tiny()))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(Long.toString(pid));
  }
}
