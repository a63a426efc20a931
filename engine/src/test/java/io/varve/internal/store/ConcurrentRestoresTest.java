package io.varve.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.admin.BackupOptions;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Of two restores into one directory, the later one touches nothing of the earlier, wherever that
/// one is.
class ConcurrentRestoresTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir Path directory;

  private Path backups;
  private Path target;

  @BeforeEach
  void backUp() {
    backups = directory.resolve("backups");
    target = directory.resolve("target");
    try (Store store = Store.open(directory.resolve("origin"))) {
      store.space("s").put(KEY, "old".getBytes(UTF_8));
      Backups.at(backups).take(store, BackupOptions.defaults());
    }
  }

  /// Restores, with something that happens after the directory was found empty.
  private void restore(Runnable before) {
    StoreRestorer.restore(
        FileDisk.open(backups, false),
        () -> beforeLock(FileDisk.open(target, true), before),
        RestoreTo.newest(),
        null,
        RestoreRun.bySystem(ProgressListener.none()));
  }

  private static Disk beforeLock(Disk disk, Runnable before) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (_, method, arguments) -> {
              if (method.getName().equals("lock")) {
                before.run();
              }
              try {
                return method.invoke(disk, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aStoreThatWasRestoredInBetweenStays() {
    Runnable another =
        () -> {
          Backups.at(backups).restore(target, RestoreTo.newest(), ProgressListener.none());
          try (Store store = Store.open(target)) {
            store.space("s").put(KEY, "new".getBytes(UTF_8));
          }
        };
    assertThatThrownBy(() -> restore(another))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("an empty directory alone");
    try (Store store = Store.open(target)) {
      assertThat(store.space("s").get(KEY)).isEqualTo("new".getBytes(UTF_8));
      store.verify().requireSound();
    }
  }

  @Test
  void aRestoreThatIsUnderWayIsNotWrittenInto() throws IOException {
    Path underWay = target.resolve(StoreOpener.RESTORING_PAGE_FILE);
    Runnable another =
        () -> {
          try {
            Files.writeString(underWay, "of another");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThatThrownBy(() -> restore(another))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining(StoreOpener.RESTORING_PAGE_FILE);
    assertThat(underWay).hasContent("of another");
  }
}
