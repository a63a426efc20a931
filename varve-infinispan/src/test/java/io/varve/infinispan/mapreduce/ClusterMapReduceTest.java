package io.varve.infinispan.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.Job;
import io.varve.cache.mapreduce.JobStatistics;
import io.varve.cache.mapreduce.MapReduce;
import io.varve.cache.mapreduce.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StorageType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs over clusters of nodes in one process, against models. After each test no thread of a job
/// runs, and no file of one is left.
@Tag("slow")
@Timeout(240)
class ClusterMapReduceTest {
  private static final int TEXTS = 400;

  @TempDir Path directory;
  @TempDir Path spills;

  /// Where mappers of tests wait; static, since jobs travel as bytes.
  private static final Gate GATE = new Gate();

  /// Lets mappers through up to some number, and knows how many wait.
  private static final class Gate {
    private volatile Semaphore passes = new Semaphore(0);
    private volatile CountDownLatch waiting = new CountDownLatch(1);

    void close(int passed, int awaited) {
      passes = new Semaphore(passed);
      waiting = new CountDownLatch(awaited);
    }

    void open() {
      passes.release(1_000_000);
    }

    void pass() {
      if (!passes.tryAcquire()) {
        waiting.countDown();
        try {
          passes.acquire();
        } catch (InterruptedException e) {
          throw new CancellationException("interrupted");
        }
      }
    }

    void awaitWaiting() throws InterruptedException {
      waiting.await();
    }
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("varve-mapreduce"))
        .isEmpty();
    try (Stream<Path> files = Files.list(spills)) {
      assertThat(files).isEmpty();
    }
  }

  private static Map<String, Long> fill(Cache<Integer, String> cache) {
    SplittableRandom random = new SplittableRandom(3);
    Map<String, Long> model = new HashMap<>();
    Map<Integer, String> texts = new HashMap<>();
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 40; word++) {
        String next = "word" + random.nextInt(1 + random.nextInt(5000));
        model.merge(next, 1L, Long::sum);
        text.append(next).append(' ');
      }
      texts.put(i, text.toString());
    }
    cache.putAll(texts);
    return model;
  }

  private MapReduce<CacheEntry<Integer, String>, String, Long, Long> words() {
    return MapReduce.<CacheEntry<Integer, String>, String, Long>map(
            (entry, out) -> {
              for (String word : entry.getValue().split(" ")) {
                out.emit(word, 1L);
              }
            })
        .combine(Long::sum)
        .threads(2)
        .spillDirectory(spills);
  }

  /// The same, whose mappers pass the gate before each entry.
  private MapReduce<CacheEntry<Integer, String>, String, Long, Long> gatedWords() {
    return MapReduce.<CacheEntry<Integer, String>, String, Long>map(
            (entry, out) -> {
              GATE.pass();
              for (String word : entry.getValue().split(" ")) {
                out.emit(word, 1L);
              }
            })
        .combine(Long::sum)
        .threads(2)
        .spillDirectory(spills);
  }

  private static <R> Map<String, R> gathered(Stream<Map.Entry<String, R>> results) {
    Map<String, R> map = new HashMap<>();
    results.forEach(result -> assertThat(map.put(result.getKey(), result.getValue())).isNull());
    return map;
  }

  @Test
  void anyNumberOfNodesGivesTheSame() {
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      Map<String, Long> model = fill(cluster.add());
      for (int nodes = 1; nodes <= 4; nodes *= 2) {
        while (cluster.caches().size() < nodes) {
          cluster.add();
        }
        for (Cache<Integer, String> cache : cluster.caches()) {
          ClusterEntries<Integer, String> entries = ClusterEntries.of(cache);
          assertThat(words().run(entries)).isEqualTo(model);
          Job<Map<String, Long>> job =
              words()
                  .budgetBytes(MapReduce.BUDGET_BYTES_MIN)
                  .start(entries, ClusterMapReduceTest::gathered);
          assertThat(job.join()).isEqualTo(model);
          assertThat(job.progress().phase()).isEqualTo(Progress.Phase.DONE);
          assertThat(job.progress().entriesDone()).isEqualTo(TEXTS);
          JobStatistics statistics = job.statistics();
          assertThat(statistics.emitted()).isEqualTo(TEXTS * 40);
          assertThat(statistics.spills()).isGreaterThanOrEqualTo(nodes);
          assertThat(statistics.distinct()).isEqualTo(model.size());
        }
      }
    }
  }

  /// More values of a key than a page holds, and no combiner that makes them fewer.
  @Test
  void reducersGetAllValuesOfAllNodes() {
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      cluster.add();
      MapReduce<CacheEntry<Integer, String>, String, String, Long> lengths =
          MapReduce.<CacheEntry<Integer, String>, String, String>map(
                  (entry, out) -> out.emit("all", "x".repeat(10_000 + entry.getKey())))
              .reduce(ClusterMapReduceTest::length)
              .budgetBytes(MapReduce.BUDGET_BYTES_MIN)
              .spillDirectory(spills);
      assertThat(lengths.run(ClusterEntries.of(cluster.cache(0))))
          .isEqualTo(Map.of("all", TEXTS * 10_000L + TEXTS * (TEXTS - 1) / 2));
    }
  }

  private static long length(String key, Iterator<String> values) {
    assertThat(key).isEqualTo("all");
    long length = 0;
    while (values.hasNext()) {
      length += values.next().length();
    }
    return length;
  }

  /// Caches whose store, if there is one, does not hold all entries, and one that is replicated.
  @Test
  void otherCachesAreMappedAsWell() {
    Consumer<ConfigurationBuilder> onHeap =
        configuration -> {
          configuration.persistence().clearStores();
          configuration.memory().maxCount(-1).storage(StorageType.HEAP);
        };
    Consumer<ConfigurationBuilder> passivated = each -> each.persistence().passivation(true);
    Consumer<ConfigurationBuilder> writtenLater =
        each -> each.persistence().stores().getFirst().async().enable();
    Consumer<ConfigurationBuilder> replicated =
        each -> each.clustering().cacheMode(CacheMode.REPL_SYNC);
    int number = 0;
    for (Consumer<ConfigurationBuilder> kind :
        List.of(onHeap, passivated, writtenLater, replicated)) {
      try (Cluster cluster = new Cluster(directory.resolve("kind" + number++), kind)) {
        Map<String, Long> model = fill(cluster.add());
        cluster.add();
        assertThat(words().run(ClusterEntries.of(cluster.cache(1)))).isEqualTo(model);
      }
    }
  }

  @Test
  void aCacheOfOneProcessIsMappedAsWell() throws IOException {
    try (DefaultCacheManager manager =
        new DefaultCacheManager(
            new GlobalConfigurationBuilder()
                .serialization()
                .allowList()
                .addRegexp("^io\\.varve\\.infinispan\\.mapreduce\\..*")
                .build())) {
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      Cluster.stored(configuration, directory);
      manager.defineConfiguration("local", configuration.build());
      Cache<Integer, String> cache = manager.getCache("local");
      assertThat(words().run(ClusterEntries.of(cache))).isEmpty();
      Map<String, Long> model = fill(cache);
      assertThat(words().run(ClusterEntries.of(cache))).isEqualTo(model);
    }
  }

  @Test
  void whatAMapperThrowsEndsTheJobOnAllNodes() {
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      cluster.add();
      MapReduce<CacheEntry<Integer, String>, String, Long, Long> failing =
          MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                  (entry, _) -> {
                    if (entry.getKey() == 7) {
                      throw new IllegalStateException("planted");
                    }
                  })
              .combine(Long::sum);
      for (Cache<Integer, String> cache : cluster.caches()) {
        assertThatThrownBy(() -> failing.run(ClusterEntries.of(cache)))
            .isInstanceOf(ClusterJobException.class)
            .hasMessageStartingWith("a job has failed on a node: node=node")
            .hasMessageContaining("java.lang.IllegalStateException: planted");
      }
    }
  }

  @Test
  void classesThatAreNotAllowedAreRefused() {
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      AtomicLong holding = new AtomicLong();
      MapReduce<CacheEntry<Integer, String>, String, Long, Long> refused =
          MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                  (_, out) -> out.emit("", holding.get()))
              .combine(Long::sum);
      assertThatThrownBy(() -> refused.run(ClusterEntries.of(cluster.cache(0))))
          .isInstanceOf(ClusterJobException.class)
          .hasMessageContaining(
              "class of a job not allowed: class=java.util.concurrent.atomic.AtomicLong");
      Object unsendable = new Object();
      MapReduce<CacheEntry<Integer, String>, String, Long, Long> unsent =
          MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                  (_, out) -> out.emit(unsendable.toString(), 1L))
              .combine(Long::sum);
      assertThatThrownBy(() -> unsent.run(ClusterEntries.of(cluster.cache(0))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("class=java.lang.Object");
    }
  }

  @Test
  void aCancelReachesAllNodes() throws Exception {
    GATE.close(20, 4); // two threads on each of two nodes
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      cluster.add();
      Job<Map<String, Long>> job =
          gatedWords().start(ClusterEntries.of(cluster.cache(0)), ClusterMapReduceTest::gathered);
      GATE.awaitWaiting();
      while (job.progress().entriesDone() < 20 || job.progress().entriesTotal() > TEXTS) {
        Thread.onSpinWait(); // until all nodes have reported
      }
      assertThat(job.progress().phase()).isEqualTo(Progress.Phase.MAPPING);
      assertThat(job.cancel()).isTrue();
      assertThatThrownBy(job::join).isInstanceOf(CancellationException.class);
    }
  }

  /// Guards against entries that are counted by the node that had them and by the node that has
  /// them now.
  @Test
  void nodesThatJoinAndStopWhileAJobRunsChangeNothing() throws Exception {
    nodesJoinAndStopWhileAJobRuns(_ -> {});
  }

  /// The same where nodes read what Infinispan publishes, and not a snapshot.
  @Test
  void soIfEntriesAreOnTheHeapAlone() throws Exception {
    nodesJoinAndStopWhileAJobRuns(each -> each.persistence().clearStores().memory().maxCount(-1));
  }

  private void nodesJoinAndStopWhileAJobRuns(Consumer<ConfigurationBuilder> caches)
      throws Exception {
    GATE.close(20, 4);
    try (Cluster cluster = new Cluster(directory, caches)) {
      Map<String, Long> model = fill(cluster.add());
      cluster.add();
      Job<Map<String, Long>> job =
          gatedWords().start(ClusterEntries.of(cluster.cache(0)), ClusterMapReduceTest::gathered);
      GATE.awaitWaiting();
      cluster.add();
      cluster.stop(1);
      cluster.awaitShares();
      GATE.open();
      assertThat(job.join()).isEqualTo(model);
      assertThat(job.progress().entriesDone()).isEqualTo(TEXTS);
    }
  }

  @Test
  void whatANodeMappedThatDiesIsMappedAgain() throws Exception {
    GATE.close(20, 6);
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      Map<String, Long> model = fill(cluster.add());
      cluster.add();
      cluster.add();
      Job<Map<String, Long>> job =
          gatedWords().start(ClusterEntries.of(cluster.cache(0)), ClusterMapReduceTest::gathered);
      GATE.awaitWaiting();
      cluster.crash(2);
      GATE.open();
      assertThat(job.join()).isEqualTo(model);
      assertThat(job.progress().entriesDone()).isEqualTo(TEXTS);
    }
  }

  /// A node that dies before all of its results are taken: what is taken cannot be taken back.
  @Test
  void aNodeThatDiesWhileItsResultsAreReadEndsTheJob() {
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      cluster.add();
      MapReduce<CacheEntry<Integer, String>, String, String, Long> large =
          MapReduce.<CacheEntry<Integer, String>, String, String>map(
                  (entry, out) -> out.emit("key" + entry.getKey(), "x".repeat(20_000)))
              .reduce((_, values) -> (long) values.next().length())
              .spillDirectory(spills);
      Job<Long> job =
          large.start(
              ClusterEntries.of(cluster.cache(0)),
              results -> {
                Iterator<Map.Entry<String, Long>> each = results.iterator();
                long sum = each.next().getValue();
                cluster.crash(1);
                while (each.hasNext()) {
                  sum += each.next().getValue();
                }
                return sum;
              });
      assertThatThrownBy(job::join)
          .isInstanceOf(ClusterJobException.class)
          .hasMessageStartingWith("a node has left while results were read from it: node=node1");
    }
  }

  /// Guards against parts that run forever since no node is left to end them.
  @Test
  void partsOfAJobEndWithTheNodeThatStartedIt() throws Exception {
    GATE.close(20, 4);
    try (Cluster cluster = new Cluster(directory, _ -> {})) {
      fill(cluster.add());
      cluster.add();
      Job<Map<String, Long>> job =
          gatedWords().start(ClusterEntries.of(cluster.cache(1)), ClusterMapReduceTest::gathered);
      GATE.awaitWaiting();
      cluster.crash(1);
      assertThatThrownBy(job::join)
          .isInstanceOf(ClusterJobException.class)
          .hasMessage("the node that leads the job has stopped");
      while (Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().startsWith("varve-mapreduce"))) {
        Thread.onSpinWait();
      }
    }
  }
}
