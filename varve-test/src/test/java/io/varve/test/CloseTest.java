package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.spi.SpaceIndex;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A close concurrent with whatever else runs loses nothing that was acknowledged (D3), and leaves
/// a store that opens.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseTest {
  private static final int ROUNDS = 40;
  private static final int WRITERS = 16;

  /// Values of 1 MiB, of which a compaction moves some.
  private static final int MOVED = 60;

  /// The length of a value that has an extent of its own.
  private static final int VALUE_BYTES = 5000;

  /// The whole value is indexed.
  private static final SpaceIndex VALUES =
      new SpaceIndex() {
        @Override
        public String name() {
          return "values";
        }

        @Override
        public String id() {
          return "whole";
        }

        @Override
        public boolean isUnique() {
          return false;
        }

        @Override
        public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
          prefixes.accept(value);
        }

        @Override
        public int prefixBytes(byte[] indexEntry) {
          return Long.BYTES;
        }
      };

  private final StoreOptions options =
      Stores.tiny().log(log -> log.bytesMax(64 << 20)).checkpointInterval(Duration.ofHours(1));

  @Test
  void noCommitIsAcknowledgedAndLostDuringACloseD3(@TempDir Path directory) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Durability durability = round % 2 == 0 ? Durability.BACKGROUND : Durability.POWER_LOSS;
      AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);
      LongAdder commits = new LongAdder();
      Threads threads = new Threads();
      Store store = Store.open(directory, options);
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        long first = (long) round << 32;
        Space space = store.space("s" + i);
        threads.start(() ->
            untilClosed(number -> {
              space.with(durability).put(Bytes.of(0), Bytes.of(first + number));
              acknowledged.set(writer, first + number);
              commits.increment();
            }));
      }
      // Snapshots shut commits out for short times, so that some wait while the store is closed.
      threads.start(() -> untilClosed(_ -> store.snapshot().close()));
      while (commits.sum() < 20 * round && !threads.failed()) {
        Thread.yield();
      }
      store.close();
      threads.join();
      try (Store reopened = Store.open(directory, options)) {
        for (int i = 0; i < WRITERS; i++) {
          assertThat(Bytes.toLong(reopened.space("s" + i).get(Bytes.of(0))))
              .isGreaterThanOrEqualTo(acknowledged.get(i));
        }
        reopened.verify().requireSound();
      }
    }
  }

  /// A close waited for a verification of the whole store; and what a verification of a snapshot
  /// could not read any more was damage in its report.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCloseEndsAVerification(boolean ofSnapshot) throws Exception {
    Store store = SimulatedStore.open(new SimulatedDisk(1), options);
    Space space = store.space("s");
    for (int i = 0; i < 2000; i++) {
      space.with(Durability.BACKGROUND).put(Bytes.of(i), Bytes.of(i));
    }
    store.checkpoint();
    Snapshot snapshot = store.snapshot();
    Threads threads = new Threads();
    AtomicInteger pages = new AtomicInteger();
    ProgressListener closing =
        (_, _) -> {
          if (pages.incrementAndGet() == 1) {
            threads.start(store::close);
            untilClosed(_ -> store.lastCommit());
          }
        };
    assertThatThrownBy(
            () -> {
              if (ofSnapshot) {
                store.verify(snapshot, closing);
              } else {
                store.verify(closing);
              }
            })
        .isInstanceOf(StoreClosedException.class);
    threads.join();
    assertThat(pages).as("pages").hasValue(1);
  }

  @Test
  void aCompactionDuringACloseLeavesAStoreThatOpens(@TempDir Path directory) throws Exception {
    duringClose(directory, Store::compact);
  }

  @Test
  void aVerificationDuringACloseLeavesAStoreThatOpens(@TempDir Path directory) throws Exception {
    duringClose(directory, Store::verify);
  }

  @Test
  void aCheckpointDuringACloseLeavesAStoreThatOpens(@TempDir Path directory) throws Exception {
    duringClose(directory, Store::checkpoint);
  }

  private void duringClose(Path directory, Consumer<Store> work) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Threads threads = new Threads();
      Store store = Store.open(directory, options.durability(Durability.BACKGROUND));
      Space space = store.space("s");
      for (int i = 0; i < 300; i++) {
        space.put(Bytes.of(i), new byte[100]);
      }
      AtomicLong started = new AtomicLong();
      threads.start(() ->
          untilClosed(number -> {
            started.set(number);
            work.accept(store);
          }));
      while (started.get() < round % 4 && !threads.failed()) {
        Thread.yield();
      }
      store.close();
      threads.join();
      try (Store reopened = Store.open(directory, options)) {
        assertThat(reopened.statistics().recovery().replayedCommits()).isZero();
        assertThat(reopened.space("s").get(Bytes.of(299))).hasSize(100);
      }
    }
  }

  /// A compaction in the background that a close refused was logged as a checkpoint that was not
  /// written, with a stack trace.
  ///
  /// @param idle whether the compaction is one that comes when no thread commits
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aCloseEndsACompactionInTheBackground(boolean idle, boolean archived) throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    StoreOptions moving =
        StoreOptions.defaults()
            .archiveLog(archived)
            .durability(Durability.BACKGROUND)
            .checkpointInterval(Duration.ofMillis(20))
            .log(log -> log.bytesMax(4 << 20));
    int first = idle ? MOVED / 3 : MOVED * 5 / 6;
    try (Warnings warnings = new Warnings("io.varve")) {
      Store store = SimulatedStore.open(disk, moving);
      Space space = store.space("s");
      for (int i = 0; i < MOVED; i++) {
        space.put(Bytes.of(i), movedValue(i));
      }
      store.checkpoint();
      Threads threads = new Threads();
      AtomicBoolean isClosing = new AtomicBoolean();
      disk.faults(call -> {
        if (isMove(call) && isClosing.compareAndSet(false, true)) {
          threads.start(store::close);
          untilClosed(_ -> store.lastCommit());
        }
        return Fault.NONE;
      });
      for (int i = 0; i < first; i++) {
        space.delete(Bytes.of(i));
      }
      untilClosed(number -> {
        if (number <= 2) {
          store.checkpoint(); // the second frees what was deleted
        }
        if (idle && number > 2) {
          store.lastCommit();
        } else {
          space.put(Bytes.of(-1), Bytes.of(number));
        }
        LockSupport.parkNanos(1_000_000);
      });
      threads.join();
      assertThat(warnings.messages()).isEmpty();
    }
    disk.faults(FaultPlan.none());
    try (Store reopened = SimulatedStore.open(disk, moving)) {
      assertThat(reopened.statistics().recovery().replayedCommits()).isZero();
      for (int i = first; i < MOVED; i++) {
        assertThat(reopened.space("s").get(Bytes.of(i))).isEqualTo(movedValue(i));
      }
      reopened.verify().requireSound();
    }
  }

  /// A close ends a backup between two images, or between two segments of the archived log, and
  /// leaves no point of it.
  ///
  /// @param name of the files of which a read is met
  @ParameterizedTest
  @ValueSource(strings = {"pages", "log/"})
  void aCloseEndsABackup(String name) throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(2);
    StoreOptions archiving = options.archiveLog(true);
    Store store = SimulatedStore.open(disk, archiving);
    for (int i = 0; i < 500; i++) {
      store.space("s").put(Bytes.of(i), new byte[VALUE_BYTES]);
    }
    store.checkpoint();
    store.checkpoint();
    Threads threads = new Threads();
    AtomicBoolean isClosing = new AtomicBoolean();
    Thread taker = Thread.currentThread();
    disk.faults(call -> {
      if (Thread.currentThread() == taker
          && call.operation() == DiskOperation.READ
          && call.name().startsWith(name)
          && call.length() >= VALUE_BYTES
          && isClosing.compareAndSet(false, true)) {
        threads.start(store::close);
        try {
          threads.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return Fault.NONE;
    });
    try (Warnings warnings = new Warnings("io.varve")) {
      assertThatThrownBy(() -> SimulatedStore.backup(store, backups, BackupOptions.defaults()))
          .isInstanceOf(StoreClosedException.class);
      assertThat(warnings.messages()).isEmpty();
    }
    assertThat(isClosing).isTrue();
    disk.faults(FaultPlan.none());
    assertThat(SimulatedStore.points(backups)).isEmpty();
    try (Store reopened = SimulatedStore.open(disk, archiving)) {
      assertThat(reopened.statistics().recovery().replayedCommits()).isZero();
      SimulatedStore.backup(reopened, backups, BackupOptions.defaults());
      reopened.verify().requireSound();
    }
    assertThat(SimulatedStore.points(backups)).hasSize(1);
  }

  /// Gives its bytes when a latch is open.
  private static final class StreamAfter extends InputStream {
    private final CountDownLatch latch;

    StreamAfter(CountDownLatch latch) {
      this.latch = latch;
    }

    @Override
    public int read() {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return 1;
    }
  }

  /// The last checkpoint of a close frees what the backup holds, and a value whose put began before
  /// the close is written there: the backup took that for damage, and asked to restore the store.
  @Test
  void whatACloseFreesIsNoDamageToABackup() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    for (int i = 0; i < 500; i++) {
      space.put(Bytes.of(i), new byte[VALUE_BYTES]);
    }
    store.checkpoint();
    store.checkpoint();
    Threads threads = new Threads();
    AtomicBoolean isClosing = new AtomicBoolean();
    AtomicReference<Thread> closer = new AtomicReference<>();
    AtomicBoolean isCut = new AtomicBoolean();
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch overwritten = new CountDownLatch(1);
    threads.start(() -> {
      InputStream value = new StreamAfter(paused);
      assertThatThrownBy(() -> space.put(Bytes.of("large"), value, 1 << 21))
          .isInstanceOf(StoreClosedException.class);
      overwritten.countDown();
    });
    Thread taker = Thread.currentThread();
    disk.faults(call -> {
      try {
        if (Thread.currentThread() == closer.get()) {
          if (isCut.get()) {
            paused.countDown();
            mayEnd.await();
          }
          isCut.compareAndSet(
              false, call.name().equals("pages") && call.operation() == DiskOperation.TRUNCATE);
        } else if (Thread.currentThread() == taker
            && call.operation() == DiskOperation.READ
            && call.name().equals("pages")
            && call.length() >= VALUE_BYTES
            && isClosing.compareAndSet(false, true)) {
          space.deleteRange(Range.all());
          threads.start(() -> {
            closer.set(Thread.currentThread());
            store.close();
          });
          paused.await();
          overwritten.await();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return Fault.NONE;
    });
    SimulatedDisk backups = new SimulatedDisk(2);
    assertThatThrownBy(() -> SimulatedStore.backup(store, backups, BackupOptions.defaults()))
        .isInstanceOf(StoreClosedException.class);
    mayEnd.countDown();
    threads.join();
    disk.faults(FaultPlan.none());
    try (Store reopened = SimulatedStore.open(disk, options)) {
      assertThat(reopened.space("s").count(Range.all())).isZero();
      reopened.verify().requireSound();
    }
  }

  /// A close ends the build of an index, which the next definition of it continues.
  @Test
  void aCloseEndsABuildOfAnIndex() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, options);
    for (int i = 0; i < 5000; i++) {
      store.space("s").with(Durability.BACKGROUND).put(Bytes.of(i), Bytes.of(i));
    }
    Threads threads = new Threads();
    AtomicBoolean isClosing = new AtomicBoolean();
    ProgressListener closing =
        (_, _) -> {
          if (isClosing.compareAndSet(false, true)) {
            threads.start(store::close);
            untilClosed(_ -> store.lastCommit());
          }
        };
    try (Warnings warnings = new Warnings("io.varve")) {
      assertThatThrownBy(() -> store.indexed(store.space("s")).keep(List.of(VALUES), closing))
          .isInstanceOf(StoreClosedException.class);
      threads.join();
      assertThat(warnings.messages()).isEmpty();
    }
    assertThat(isClosing).isTrue();
    try (Store reopened = SimulatedStore.open(disk, options)) {
      IndexedSpace indexed = reopened.indexed(reopened.space("s"));
      indexed.keep(List.of(VALUES), ProgressListener.none());
      reopened.verify().requireSound();
    }
  }

  private static byte[] movedValue(int seed) {
    byte[] value = new byte[1 << 20];
    new SplittableRandom(seed).nextBytes(value);
    return value;
  }

  /// Whether a compaction in the background reads a value that it moves.
  private static boolean isMove(DiskCall call) {
    return call.operation() == DiskOperation.READ
        && call.name().equals("pages")
        && call.length() >= 1 << 20
        && Thread.currentThread().getName().equals("varve-checkpoint");
  }

  /// A close cuts the file below what only the checkpoint before it reached, here its catalog.
  @Test
  void storeWhoseFileWasCutAtItsCloseOpens(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      store.space("s").put(Bytes.of(1), Bytes.of(1));
      store.checkpoint();
      store.checkpoint();
    }
    try (Store store = Store.open(directory, options)) {
      assertThat(store.space("s").get(Bytes.of(1))).isEqualTo(Bytes.of(1));
      store.verify().requireSound();
    }
  }

  /// A step of a thread.
  @FunctionalInterface
  private interface Step {
    void run(long number);
  }

  private static void untilClosed(Step step) {
    try {
      for (long number = 1; ; number++) {
        step.run(number);
      }
    } catch (StoreClosedException e) {
      assertThat(e).hasMessageContaining("closed");
    }
  }
}
