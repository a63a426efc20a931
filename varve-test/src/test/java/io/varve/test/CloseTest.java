package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A close concurrent with whatever else runs loses nothing that was acknowledged (D3), and leaves
/// a store that opens.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseTest {
  private static final int ROUNDS = 40;
  private static final int WRITERS = 16;

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
