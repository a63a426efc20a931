package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.CommitWait;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A thread that waits yields its core, interrupted or not. With one carrier for all virtual
/// threads, a waiter that kept it would wait for a thread that never runs.
class OneCarrierTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int THREADS = 6;
  private static final int COMMITS = 4;

  /// So many that a ring of 64 KiB cannot hold a commit whole: it waits for the ring halfway, while
  /// small commits that follow it wait for its end.
  private static final int PUTS = 60;

  private static final int VALUE_BYTES = 2000;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void interruptedCommittersKeepNobodyWaiting(boolean virtual) throws Exception {
    List<String> oneCarrier =
        List.of(
            "-Xmx256m",
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1");
    try (ChildJvm child =
        ChildJvm.start(
            Map.of(),
            oneCarrier,
            Committers.class,
            directory.toString(),
            Boolean.toString(virtual))) {
      for (CommitWait wait : CommitWait.values()) {
        assertThat(child.readLine()).isEqualTo(wait.name());
      }
      assertThat(child.exitCode()).isZero();
    }
  }

  /// Runs interrupted committers in a JVM of their own, which ends after a bound.
  static final class Committers {
    private Committers() {}

    public static void main(String[] arguments) throws Exception {
      Thread.ofPlatform().daemon().start(Committers::endWhenStuck);
      for (CommitWait wait : CommitWait.values()) {
        commitFrom(THREADS, Path.of(arguments[0]), wait, Boolean.parseBoolean(arguments[1]));
        System.out.println(wait);
      }
    }

    private static void endWhenStuck() {
      try {
        Thread.sleep(PATIENCE);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Runtime.getRuntime().halt(2);
    }

    static void commitFrom(int count, Path directory, CommitWait wait, boolean virtual)
        throws Exception {
      StoreOptions options =
          Stores.tiny()
              .pageBytes(8192)
              .cacheBytes(32 << 20)
              .log(log -> log.segmentBytes(1 << 20).bytesMax(16 << 20).commitWait(wait));
      try (Store store = Store.open(directory.resolve(wait.name()), options)) {
        Space space = store.space("s");
        Threads threads = new Threads();
        for (int i = 0; i < count; i++) {
          int number = i;
          Threads.Body body = () -> commit(store, space, number);
          if (virtual) {
            threads.startVirtual(body);
          } else {
            threads.start(body);
          }
        }
        threads.join();
        long large = Math.ceilDiv(count, 2);
        assertThat(space.count(Range.all())).isEqualTo((large * PUTS + (count - large)) * COMMITS);
        store.verify().requireSound();
      }
    }

    private static void commit(Store store, Space space, int number) {
      Durability[] durabilities = {
        Durability.PROCESS_CRASH, Durability.POWER_LOSS, Durability.BACKGROUND
      };
      int puts = number % 2 == 0 ? PUTS : 1;
      for (int i = 0; i < COMMITS; i++) {
        int first = (number * COMMITS + i) * PUTS;
        Thread.currentThread().interrupt();
        store.transact(
            durabilities[(number + i) % durabilities.length],
            tx -> {
              for (int put = 0; put < puts; put++) {
                byte[] key = ByteBuffer.allocate(4).putInt(first + put).array();
                tx.put(space, key, new byte[VALUE_BYTES]);
              }
            });
        assertThat(Thread.interrupted()).as("interrupt flag after a commit").isTrue();
      }
    }
  }
}
