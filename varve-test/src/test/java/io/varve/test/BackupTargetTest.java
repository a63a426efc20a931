package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.spi.BackupTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What backups promise, whatever they are written to: a directory, or what a program brings.
class BackupTargetTest {
  private static final String FIRST_POINT = "00000000000000000001.vbk";
  private static final int HEADER_BYTES = 4096;

  /// The contract of backups in a target.
  abstract static class Contract {
    @TempDir Path directory;
    private int restores;

    abstract Backups backups();

    /// Damages a byte of the first point.
    ///
    /// @param fromEnd its distance from the end
    abstract void flip(int fromEnd) throws IOException;

    Store open(StoreOptions options) {
      return Store.open(directory.resolve("store"), options);
    }

    static void fill(Store store, String name, int count) {
      Space space = store.space("s");
      store.transact(transaction -> {
        for (int i = 0; i < count; i++) {
          transaction.put(space, Bytes.of(name + i), new byte[200]);
        }
      });
    }

    Model restore(Backups from, RestoreTo state) {
      Path target = directory.resolve("restored-" + restores++);
      from.restore(target, state);
      return model(target);
    }

    static Model model(Path target) {
      try (Store store = Store.open(target, Stores.tiny())) {
        store.verify().requireSound();
        return Model.of(store);
      }
    }

    @Test
    void pointsRestore() {
      Model first;
      Model second;
      BackupPoint full;
      BackupPoint incremental;
      try (Store store = open(Stores.tiny())) {
        fill(store, "a", 3000);
        store.space("s").put(Bytes.of("large"), new byte[300_000]);
        full = backups().take(store);
        first = Model.of(store);
        fill(store, "b", 10);
        incremental = backups().take(store);
        second = Model.of(store);
      }
      assertThat(incremental.bytes()).isLessThan(full.bytes() / 4);
      assertThat(backups().points()).extracting(BackupPoint::number).containsExactly(1L, 2L);
      restore(backups(), RestoreTo.point(1)).requireEqual(first, "the full point");
      restore(backups(), RestoreTo.newest()).requireEqual(second, "the incremental point");
    }

    @Test
    void everyCommitOfTheArchivedLogRestores() {
      Commit between;
      Model then;
      Model last;
      Instant begun;
      try (Store store = open(Stores.tiny().archiveLog(true))) {
        fill(store, "a", 500);
        begun = backups().take(store).time();
        fill(store, "b", 500);
        between = store.space("s").put(Bytes.of("k"), Bytes.of("v"));
        then = Model.of(store);
        for (int i = 0; i < 4; i++) {
          fill(store, "c" + i, 1500); // some segments
          store.checkpoint();
        }
        last = Model.of(store);
      }
      try (Store store = open(Stores.tiny().archiveLog(true))) {
        backups().take(store);
      }
      restore(backups(), RestoreTo.commit(between)).requireEqual(then, "a commit");
      restore(backups(), RestoreTo.time(Instant.now())).requireEqual(last, "a time");
      assertThatThrownBy(() -> restore(backups(), RestoreTo.time(begun.minusSeconds(60))))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("younger");
      assertThat(backups().prune(1)).isEmpty(); // the second point needs the first
    }

    @Test
    void pruningLeavesWhatIsNeeded() {
      try (Store store = open(Stores.tiny().archiveLog(true))) {
        for (int i = 0; i < 3; i++) {
          fill(store, "a" + i, 200);
          backups().take(store, BackupOptions.defaults().full(true));
        }
        assertThat(backups().prune(1)).extracting(BackupPoint::number).containsExactly(1L, 2L);
        assertThat(backups().points()).extracting(BackupPoint::number).containsExactly(3L);
        restore(backups(), RestoreTo.newest()).requireEqual(Model.of(store), "what is left");
      }
    }

    @Test
    void damageIsNoticed() throws IOException {
      try (Store store = open(Stores.tiny())) {
        fill(store, "a", 500);
        backups().take(store);
      }
      flip(HEADER_BYTES + 700);
      assertThatThrownBy(() -> restore(backups(), RestoreTo.newest()))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining(FIRST_POINT);
      flip(100);
      assertThatThrownBy(() -> restore(backups(), RestoreTo.newest()))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("header does not check");
    }

    @Test
    void oneBackupAtATime() {
      try (Store store = open(Stores.tiny())) {
        fill(store, "a", 500);
        backups()
            .take(
                store,
                BackupOptions.defaults()
                    .listener((_, _) ->
                        assertThatThrownBy(() -> backups().prune(1))
                            .isInstanceOf(StoreLockedException.class)
                            .hasMessageContaining("another backup is being written")));
        backups().take(store);
      }
    }
  }

  @Nested
  class InADirectory extends Contract {
    @Override
    Backups backups() {
      return Backups.at(directory.resolve("backups"));
    }

    @Override
    void flip(int fromEnd) throws IOException {
      Path point = directory.resolve("backups").resolve(FIRST_POINT);
      byte[] bytes = Files.readAllBytes(point);
      bytes[bytes.length - fromEnd] ^= 1;
      Files.write(point, bytes);
    }

    /// The header was the first block once.
    @Test
    void aPointThatBeginsWithItsHeaderRestores() throws IOException {
      Model expected;
      try (Store store = open(Stores.tiny())) {
        fill(store, "a", 500);
        backups().take(store);
        expected = Model.of(store);
      }
      Path point = directory.resolve("backups").resolve(FIRST_POINT);
      byte[] bytes = Files.readAllBytes(point);
      ByteBuffer earlier = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
      earlier.put(bytes, bytes.length - HEADER_BYTES, HEADER_BYTES);
      earlier.put(bytes, 0, bytes.length - HEADER_BYTES);
      earlier.putInt(8, earlier.getInt(8) - 4);
      var crc = new CRC32C();
      crc.update(earlier.array(), 0, HEADER_BYTES - 4);
      earlier.putInt(HEADER_BYTES - 4, (int) crc.getValue());
      Files.write(point, earlier.array());
      restore(backups(), RestoreTo.newest()).requireEqual(expected, "the earlier form");
      try (Store store = open(Stores.tiny())) {
        fill(store, "b", 10);
        BackupPoint next = backups().take(store);
        assertThat(next.base()).as("continues from it").isEqualTo(1);
        restore(backups(), RestoreTo.newest()).requireEqual(Model.of(store), "both forms");
      }
    }
  }

  /// Keeps its objects in memory, whatever the bucket.
  private static final class BucketTarget extends MemoryTarget {
    BucketTarget(String bucket) {
      assertThat(bucket).isNotEmpty();
    }
  }

  /// The example of docs/BACKUP.md, as it is there.
  @Test
  void exampleOfTheGuide(@TempDir Path directory) {
    try (Store store = Store.open(directory.resolve("store"))) {
      BackupTarget target = new BucketTarget("backups/shop"); // a class of the program
      Backups backups = Backups.at(target);
      backups.take(store); // full at first, then what changed
      backups.restore(directory.resolve("shop-again"), RestoreTo.newest());
    }
    new Model().requireEqual(Contract.model(directory.resolve("shop-again")), "nothing");
  }

  @Nested
  class InWhatAProgramBrings extends Contract {
    private final MemoryTarget target = new MemoryTarget();

    @Override
    Backups backups() {
      return Backups.at(target);
    }

    @Override
    void flip(int fromEnd) {
      byte[] bytes = target.objects().get(FIRST_POINT).clone();
      bytes[bytes.length - fromEnd] ^= 1;
      target.objects().put(FIRST_POINT, bytes);
    }

    /// Whichever call fails, what was there stays as it was, and the next backup has everything.
    @Test
    void aBackupThatBreaksOffLeavesWholePointsAlone() {
      Model first;
      Model second;
      int failed = 0;
      try (Store store = open(Stores.tiny().archiveLog(true))) {
        fill(store, "a", 500);
        backups().take(store);
        first = Model.of(store);
        fill(store, "b", 500);
        second = Model.of(store);
        boolean done = false;
        while (!done) {
          target.failAfter(failed);
          try {
            backups().take(store);
            done = true;
          } catch (StoreIoException e) {
            failed++;
            assertThat(e)
                .hasMessageContaining("memory:")
                .hasRootCauseMessage("the target cannot be reached");
            assertThat(backups().points()).hasSize(1);
          }
          assertThat(target.openObjects()).isZero();
        }
        target.failAfter(Long.MAX_VALUE);
      }
      assertThat(failed).isGreaterThan(3);
      restore(backups(), RestoreTo.point(1)).requireEqual(first, "the whole point");
      restore(backups(), RestoreTo.newest()).requireEqual(second, "the repeated one");
    }

    /// Objects are the files of a directory of backups.
    @Test
    void objectsCopiedToADirectoryRestore() throws IOException {
      Commit last;
      Model expected;
      try (Store store = open(Stores.tiny().archiveLog(true))) {
        fill(store, "a", 500);
        backups().take(store);
        last = store.space("s").put(Bytes.of("k"), Bytes.of("v"));
        expected = Model.of(store);
        backups().take(store);
      }
      Path copied = directory.resolve("copied");
      for (Map.Entry<String, byte[]> object : target.objects().entrySet()) {
        Path file = copied.resolve(object.getKey());
        Files.createDirectories(file.getParent());
        Files.write(file, object.getValue());
      }
      Path restored = directory.resolve("from-the-copy");
      Restored state = Backups.at(copied).restore(restored, RestoreTo.commit(last));
      assertThat(state.lastCommit()).isEqualTo(last);
      model(restored).requireEqual(expected, "the copy");
    }
  }
}
