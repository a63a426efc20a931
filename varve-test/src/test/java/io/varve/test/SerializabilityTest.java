package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Transactions over several spaces are serializable: the contract on isolation, by an oracle that
/// looks for cycles. That it would notice is shown on transactions whose conflicts are checked
/// less, or not at all.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SerializabilityTest {
  private static final int THREADS = 4;
  private static final int STEPS_MAX = 5;
  private static final int LISTS_PER_SPACE = 4;

  /// After so many transactions a thread continues to other lists, so that none grows long.
  private static final int TRANSACTIONS_PER_EPISODE = 100;

  private static final int ROUNDS_MAX = 20;

  private final SerializabilityOracle oracle = new SerializabilityOracle();
  private final Threads threads = new Threads();
  private Store store;
  private List<Space> spaces;
  private int episodes;

  @BeforeEach
  void open(@TempDir Path directory) {
    store = Store.open(directory, Stores.tiny().durability(Durability.BACKGROUND));
    spaces = List.of(store.space("a"), store.space("b"), store.space("c"));
  }

  @AfterEach
  void verifyAndClose() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void transactionsAreSerializable() throws Exception {
    run(1200, Isolation.SERIALIZABLE);
    oracle.requireSerializable(lists());
    assertThat(oracle.committed()).isGreaterThan(THREADS * 1200 / 10);
  }

  @Test
  void transactionsThatRunAgainAreSerializable() throws Exception {
    run(600, Isolation.SERIALIZABLE_WITH_RETRIES);
    oracle.requireSerializable(lists());
    assertThat(oracle.committed()).isEqualTo(THREADS * 600);
  }

  /// Without any check, the later of two commits overwrites what the earlier one appended.
  @Test
  void uncheckedTransactionsLoseUpdates() throws Exception {
    assertThat(anomaliesOnceSeen("lost update", Isolation.UNCHECKED))
        .anyMatch(anomaly -> anomaly.startsWith("lost update"));
  }

  /// With only what is written checked no update is lost, but two may each read what the other one
  /// writes.
  @Test
  void transactionsUnderSnapshotIsolationSkewWrites() throws Exception {
    assertThat(anomaliesOnceSeen("write skew", Isolation.SNAPSHOT))
        .noneMatch(anomaly -> anomaly.startsWith("lost update"))
        .anyMatch(anomaly -> anomaly.startsWith("write skew"));
  }

  /// Runs transactions until they show an anomaly, which takes threads that happen to meet.
  private List<String> anomaliesOnceSeen(String kind, Isolation isolation) throws Exception {
    for (int round = 1; ; round++) {
      run(300, isolation);
      List<String> anomalies = oracle.anomalies(lists());
      if (round == ROUNDS_MAX || anomalies.stream().anyMatch(one -> one.startsWith(kind))) {
        return anomalies;
      }
    }
  }

  private void run(int each, Isolation isolation) throws Exception {
    int firstEpisode = episodes;
    episodes += Math.ceilDiv(each, TRANSACTIONS_PER_EPISODE);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(firstEpisode * THREADS + i);
      Threads.Body body =
          () -> {
            for (int n = 0; n < each && !threads.failed(); n++) {
              transact(isolation, firstEpisode + n / TRANSACTIONS_PER_EPISODE, random);
              if (n % 500 == 499) {
                store.checkpoint();
              }
            }
          };
      if (i % 2 == 0) {
        threads.startVirtual(body);
      } else {
        threads.start(body);
      }
    }
    threads.join();
  }

  private void transact(Isolation isolation, int episode, SplittableRandom random) {
    AtomicReference<ListTransaction> last = new AtomicReference<>();
    try {
      long commit =
          isolation.run(
              store,
              work -> {
                ListTransaction observed = oracle.begin();
                last.set(observed);
                for (int step = 1 + random.nextInt(STEPS_MAX); step > 0; step--) {
                  step(work, observed, episode, random);
                  Thread.yield();
                }
              });
      last.get().committed(commit);
    } catch (ConflictException e) {
      last.get().refused();
    }
  }

  private void step(
      Isolation.Work work, ListTransaction observed, int episode, SplittableRandom random) {
    Space space = spaces.get(random.nextInt(spaces.size()));
    byte[] key = key(episode, random.nextInt(LISTS_PER_SPACE));
    if (random.nextInt(4) == 0) {
      readAll(work, observed, space, episode);
      return;
    }
    byte[] value = work.get(space, key);
    observed.read(name(space, key), elements(value));
    if (random.nextBoolean()) {
      work.put(space, key, appended(value, observed.append(name(space, key))));
    }
  }

  /// Reads a range of lists, so that those that are not there count, too.
  private static void readAll(
      Isolation.Work work, ListTransaction observed, Space space, int episode) {
    Map<String, List<Long>> found = new HashMap<>();
    for (Entry entry : work.scan(space, Range.prefix(episodePrefix(episode)))) {
      found.put(name(space, entry.key()), elements(entry.value()));
    }
    for (int list = 0; list < LISTS_PER_SPACE; list++) {
      String name = name(space, key(episode, list));
      observed.read(name, found.getOrDefault(name, List.of()));
    }
  }

  private Map<String, List<Long>> lists() {
    Map<String, List<Long>> lists = new HashMap<>();
    for (Space space : spaces) {
      for (Entry entry : space.scan(Range.all())) {
        lists.put(name(space, entry.key()), elements(entry.value()));
      }
    }
    return lists;
  }

  private static byte[] episodePrefix(int episode) {
    return Bytes.of(episode + "/");
  }

  private static byte[] key(int episode, int list) {
    return Bytes.of(episode + "/" + list);
  }

  private static String name(Space space, byte[] key) {
    return space.name() + ":" + Bytes.toText(key);
  }

  private static List<Long> elements(byte @Nullable [] value) {
    List<Long> elements = new ArrayList<>();
    if (value != null) {
      ByteBuffer buffer = ByteBuffer.wrap(value);
      while (buffer.hasRemaining()) {
        elements.add(buffer.getLong());
      }
    }
    return elements;
  }

  private static byte[] appended(byte @Nullable [] value, long element) {
    int length = value == null ? 0 : value.length;
    ByteBuffer longer = ByteBuffer.allocate(length + Long.BYTES);
    if (value != null) {
      longer.put(value);
    }
    return longer.putLong(element).array();
  }
}
