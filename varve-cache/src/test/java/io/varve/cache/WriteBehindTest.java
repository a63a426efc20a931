package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Changes that reach the writer later: batches, order, failures, a full queue, closes and kills.
@Timeout(120)
class WriteBehindTest {
  /// Batches go when they are full or the cache is closed, and not before.
  private static final WriteBehind SLOW = WriteBehind.defaults().delay(Duration.ofDays(1));

  private static final WriteBehind FAST =
      WriteBehind.defaults()
          .delay(Duration.ZERO)
          .retry(Duration.ofMillis(1), Duration.ofMillis(10));

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final TestSource source = new TestSource();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    source.allowAll();
    provider.close();
  }

  /// A source in memory that refuses the keys in `refused`.
  private static final class TestSource
      implements CacheWriter<String, String>, CacheLoader<String, String> {
    private final Map<String, String> rows = new ConcurrentSkipListMap<>();
    private final List<Set<String>> batches = new CopyOnWriteArrayList<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private volatile Consumer<String> onWrite = _ -> {};

    private void allowAll() {
      down = false;
      refused.clear();
    }

    private void check(String key) {
      if (down || refused.contains(key)) {
        throw new CacheWriterException("refused: key=" + key);
      }
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      check(entry.getKey());
      onWrite.accept(entry.getKey());
      rows.put(entry.getKey(), entry.getValue());
      batches.add(Set.of(entry.getKey()));
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      Set<String> keys = ConcurrentHashMap.newKeySet();
      entries.forEach(entry -> check(entry.getKey())); // all or none
      Iterator<Cache.Entry<? extends String, ? extends String>> left = entries.iterator();
      while (left.hasNext()) {
        var entry = left.next();
        onWrite.accept(entry.getKey());
        rows.put(entry.getKey(), entry.getValue());
        keys.add(entry.getKey());
        left.remove();
      }
      batches.add(keys);
    }

    @Override
    public void delete(Object key) {
      check((String) key);
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(key -> check((String) key));
      keys.forEach(rows::remove);
      keys.clear();
    }

    @Override
    public String load(String key) {
      return rows.get(key);
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> found = new HashMap<>();
      keys.forEach(key -> {
        if (rows.containsKey(key)) {
          found.put(key, rows.get(key));
        }
      });
      return found;
    }
  }

  private VarveCache<String, String> open(StorageMode mode, WriteBehind later) {
    return open(provider, directory.resolve("store"), mode, source, later);
  }

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<String, String> open(
      VarveCachingProvider provider,
      Path directory,
      StorageMode mode,
      TestSource source,
      WriteBehind later) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    options.mode(mode).durability(Durability.PROCESS_CRASH).writeBehind(later);
    options.setCacheWriterFactory(new SingletonFactory<>(source));
    options.setWriteThrough(true);
    options.setCacheLoaderFactory(new SingletonFactory<>(source));
    options.setReadThrough(true);
    return provider
        .getCacheManager(null, null, properties)
        .createCache("c", options)
        .unwrap(VarveCache.class);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  /// One write for a full batch, and of each key the last value alone.
  @ParameterizedTest
  @EnumSource
  void changesAreWrittenInBatchesAndTheLastOneOfAKey(StorageMode mode) throws Exception {
    VarveCache<String, String> cache = open(mode, SLOW.batchMax(10));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 9; i++) {
        cache.put("k" + i, "v" + round);
      }
    }
    assertThat(source.rows).isEmpty();
    assertThat(cache.statistics().waitingWrites()).isEqualTo(9);
    cache.put("k9", "v2");
    await(() -> source.rows.size() == 10);
    await(() -> cache.statistics().waitingWrites() == 0);
    assertThat(source.batches).hasSize(1);
    assertThat(source.rows.values()).containsOnly("v2");
  }

  @ParameterizedTest
  @EnumSource
  void aCloseWritesWhatWaits(StorageMode mode) {
    VarveCache<String, String> cache = open(mode, SLOW);
    source.rows.put("old", "1");
    cache.put("a", "1");
    cache.putAll(Map.of("b", "2", "c", "3"));
    cache.remove("old");
    cache.remove("c");
    assertThat(source.rows).containsOnlyKeys("old");
    cache.close();
    assertThat(source.rows).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  /// A writer that reads and changes its own cache does so while the cache is being closed, too.
  @ParameterizedTest
  @EnumSource
  void aCloseWritesWhatAWriterThatUsesTheCacheTakes(StorageMode mode) {
    VarveCache<String, String> cache = open(mode, SLOW);
    source.rows.put("currency", "EUR");
    source.onWrite =
        key -> {
          if (!key.startsWith("seen")) {
            cache.put("seen " + key, cache.get("currency"));
          }
        };
    cache.put("a", "1");
    cache.put("b", "2");
    cache.close();
    assertThat(cache.isClosed()).isTrue();
    source.rows.remove("currency");
    assertThat(source.rows).isEqualTo(Map.of("a", "1", "b", "2", "seen a", "EUR", "seen b", "EUR"));
  }

  @Test
  void aCloseByAThreadThatIsInterruptedWritesWhatWaits() {
    VarveCache<String, String> cache = open(StorageMode.HEAP, SLOW);
    cache.put("a", "1");
    Thread.currentThread().interrupt();
    cache.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(source.rows).isEqualTo(Map.of("a", "1"));
  }

  /// While a close writes what waits, no other manager may write, and other threads change nothing.
  @Test
  void aCloseKeepsTheRightToWriteUntilAllIsWritten() throws Exception {
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    source.onWrite =
        _ -> {
          isWriting.countDown();
          awaitLatch(mayWrite);
        };
    VarveCache<String, String> cache = open(StorageMode.TIERED, SLOW);
    cache.put("a", "1");
    Thread closer = Thread.ofVirtual().start(cache::close);
    awaitLatch(isWriting);
    assertThatThrownBy(() -> cache.put("b", "1"))
        .isInstanceOf(CacheWriterException.class)
        .hasMessageContaining("closed");
    TestSource second = new TestSource();
    try (VarveCachingProvider other = new VarveCachingProvider()) {
      Path store = directory.resolve("store");
      assertThatThrownBy(() -> open(other, store, StorageMode.TIERED, second, FAST))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("another manager");
      mayWrite.countDown();
      closer.join();
      open(other, store, StorageMode.TIERED, second, FAST);
    }
    assertThat(source.rows).isEqualTo(Map.of("a", "1"));
    assertThat(second.rows).isEmpty();
  }

  /// What a read loads is what was put last, wherever it is.
  @ParameterizedTest
  @EnumSource
  void readsFindChangesThatWait(StorageMode mode) {
    VarveCache<String, String> cache = open(mode, SLOW);
    source.rows.put("b", "in the source");
    cache.put("a", "1");
    cache.remove("b");
    cache.clear(); // which no writer hears of
    assertThat(cache.get("a")).isEqualTo("1");
    assertThat(cache.get("b")).isNull();
    assertThat(cache.getAll(Set.of("a", "b"))).isEqualTo(Map.of("a", "1"));
    assertThat(source.rows).doesNotContainKey("a");
  }

  /// A value that is changed after its put is not what is written.
  @Test
  void theValueOfThePutIsWritten() throws Exception {
    CacheOptions<String, ArrayList<String>> options = new CacheOptions<>();
    List<List<String>> written = new CopyOnWriteArrayList<>();
    options.writeBehind(SLOW);
    options.setWriteThrough(true);
    options.setCacheWriterFactory(
        new SingletonFactory<>(
            new CacheWriter<String, ArrayList<String>>() {
              @Override
              public void write(Cache.Entry<? extends String, ? extends ArrayList<String>> entry) {
                written.add(entry.getValue());
              }

              @Override
              public void writeAll(
                  Collection<Cache.Entry<? extends String, ? extends ArrayList<String>>> entries) {
                throw new AssertionError("there is one entry");
              }

              @Override
              public void delete(Object key) {}

              @Override
              public void deleteAll(Collection<?> keys) {}
            }));
    Cache<String, ArrayList<String>> cache = provider.getCacheManager().createCache("c", options);
    ArrayList<String> value = new ArrayList<>(List.of("as put"));
    cache.put("a", value);
    value.add("later");
    cache.close();
    assertThat(written).isEqualTo(List.of(List.of("as put")));
  }

  /// An entry that the writer refuses keeps no other one, and is written when it may be.
  @ParameterizedTest
  @EnumSource
  void anEntryThatIsRefusedKeepsNoOther(StorageMode mode) throws Exception {
    source.refused.add("k13");
    VarveCache<String, String> cache = open(mode, FAST.batchMax(64));
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "v");
    }
    await(() -> source.rows.size() == 99);
    assertThat(source.rows).doesNotContainKey("k13");
    source.refused.clear();
    await(() -> source.rows.size() == 100);
    await(() -> cache.statistics().waitingWrites() == 0);
    assertThat(cache.statistics().droppedWrites()).isZero();
  }

  /// A source that was down gets all, in the order of each key.
  @ParameterizedTest
  @EnumSource
  void aSourceThatWasDownGetsAll(StorageMode mode) throws Exception {
    source.down = true;
    VarveCache<String, String> cache = open(mode, FAST.batchMax(7));
    Map<String, String> expected = new TreeMap<>();
    for (int i = 0; i < 300; i++) {
      if (i == 200) {
        source.down = false;
      }
      String key = "k" + i % 40;
      if (i % 5 == 4) {
        cache.remove(key);
        expected.remove(key);
      } else {
        cache.put(key, "v" + i);
        expected.put(key, "v" + i);
      }
    }
    await(() -> cache.statistics().waitingWrites() == 0);
    assertThat(source.rows).isEqualTo(expected);
  }

  @Test
  void whatIsRefusedTooOftenIsDroppedAndCounted() throws Exception {
    source.refused.add("bad");
    VarveCache<String, String> cache = open(StorageMode.TIERED, FAST.attemptsMax(3));
    cache.put("bad", "1");
    await(() -> cache.statistics().droppedWrites() == 1);
    cache.put("good", "1");
    await(() -> source.rows.containsKey("good"));
    assertThat(cache.get("bad")).isEqualTo("1"); // the cache keeps it
    cache.close();
    source.refused.clear();
    open(StorageMode.TIERED, FAST).close();
    assertThat(source.rows).containsOnlyKeys("good");
  }

  /// A change waits while too many others do; one of a key that waits already replaces it.
  @Test
  void aFullQueueHoldsChangesUp() throws Exception {
    source.down = true;
    VarveCache<String, String> cache = open(StorageMode.HEAP, FAST.waitingMax(3));
    cache.putAll(Map.of("a", "1", "b", "1", "c", "1"));
    cache.put("a", "2");
    Thread fourth = Thread.ofVirtual().start(() -> cache.put("d", "1"));
    await(() -> fourth.getState() == Thread.State.WAITING);
    assertThat(cache.get("d")).isEqualTo("1"); // is made, and its key is free
    assertThat(cache.containsKey("b")).isTrue();
    source.down = false;
    fourth.join();
    await(() -> cache.statistics().waitingWrites() == 0);
    assertThat(source.rows).isEqualTo(Map.of("a", "2", "b", "1", "c", "1", "d", "1"));
  }

  @Test
  void aFullQueueRefusesChangesIfAskedTo() throws Exception {
    source.down = true;
    VarveCache<String, String> cache =
        open(StorageMode.TIERED, FAST.waitingMax(2).refusesWhenFull(true));
    cache.put("a", "1");
    cache.put("b", "1");
    assertThatThrownBy(() -> cache.put("c", "1"))
        .isInstanceOf(CacheWriterException.class)
        .hasMessageContaining("waitingMax=2");
    assertThat(cache.containsKey("c")).isFalse();
    source.down = false;
    await(() -> cache.statistics().waitingWrites() == 0);
    cache.put("c", "1");
    await(() -> source.rows.size() == 3);
  }

  /// A writer may change the cache that it writes for, even if too many changes wait.
  @Test
  void aWriterMayChangeTheCache() throws Exception {
    VarveCache<String, String> cache = open(StorageMode.HEAP, FAST.waitingMax(1));
    source.onWrite =
        key -> {
          if (!key.startsWith("seen")) {
            cache.put("seen " + key, "1");
          }
        };
    for (int i = 0; i < 50; i++) {
      cache.put("k" + i, "1");
    }
    await(() -> source.rows.size() == 100);
  }

  /// A writer may change the key of a thread that waits since the queue is full.
  @Test
  void aWriterMayChangeTheKeyOfAThreadThatWaits() throws Exception {
    CountDownLatch isFull = new CountDownLatch(1);
    VarveCache<String, String> cache = open(StorageMode.HEAP, FAST.waitingMax(1));
    source.onWrite =
        key -> {
          if (key.equals("a")) {
            awaitLatch(isFull);
            cache.put("b", "with the id that the database generated");
          }
        };
    cache.put("a", "1");
    Thread second = Thread.ofVirtual().start(() -> cache.put("b", "1"));
    await(() -> second.getState() == Thread.State.WAITING);
    isFull.countDown();
    assertThat(second.join(Duration.ofSeconds(60))).isTrue();
    await(() -> cache.statistics().waitingWrites() == 0);
    assertThat(source.rows.get("b")).startsWith("with the id");
  }

  /// Nor does it wait for a second writer that waits for it.
  @Test
  void twoWritersMayChangeTheCacheOfEachOther() throws Exception {
    WriteBehind full = FAST.waitingMax(1);
    TestSource second = new TestSource();
    VarveCache<String, String> first = open(StorageMode.HEAP, full);
    try (VarveCachingProvider other = new VarveCachingProvider()) {
      Path directoryOfSecond = directory.resolve("second");
      VarveCache<String, String> cache =
          open(other, directoryOfSecond, StorageMode.HEAP, second, full);
      source.onWrite = key -> putUnlessSeen(cache, key);
      second.onWrite = key -> putUnlessSeen(first, key);
      for (int i = 0; i < 50; i++) {
        first.put("k" + i, "1");
        cache.put("l" + i, "1");
      }
      await(() -> source.rows.size() == 150 && second.rows.size() == 150);
    }
  }

  private static void putUnlessSeen(Cache<String, String> cache, String key) {
    if (!key.startsWith("seen")) {
      cache.put("seen 1 " + key, "1");
      cache.put("seen 2 " + key, "1");
    }
  }

  /// What a source that is down did not take is written when the cache opens again; on the heap it
  /// is lost.
  @ParameterizedTest
  @EnumSource
  void whatIsLeftWaitsForTheNextOpen(StorageMode mode) throws Exception {
    boolean isDurable = mode == StorageMode.TIERED || mode == StorageMode.PAGES;
    source.down = true;
    VarveCache<String, String> cache = open(mode, FAST.batchMax(4));
    for (int i = 0; i < 20; i++) {
      cache.put("k" + i, "first");
      cache.put("k" + i, "last");
    }
    cache.remove("k0");
    provider.close();
    assertThat(source.rows).isEmpty();
    source.down = false;
    open(mode, FAST).close();
    assertThat(source.rows).hasSize(isDurable ? 19 : 0);
    assertThat(source.rows.values()).allMatch("last"::equals);
    provider.close();
    source.rows.clear();
    open(mode, FAST).close(); // nothing is written twice
    assertThat(source.rows).isEmpty();
  }

  /// A change that fails in flight, while a later one of the key waits, is not written again.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "PAGES"})
  void aFailedChangeIsNotWrittenOverALaterOne(StorageMode mode) throws Exception {
    CountDownLatch inFlight = new CountDownLatch(1);
    CountDownLatch laterWaits = new CountDownLatch(1);
    source.onWrite =
        _ -> {
          inFlight.countDown();
          awaitLatch(laterWaits);
          source.onWrite = _ -> {};
          throw new CacheWriterException("the connection was lost");
        };
    VarveCache<String, String> cache = open(mode, FAST);
    cache.put("a", "1");
    awaitLatch(inFlight);
    cache.put("a", "2");
    laterWaits.countDown();
    await(() -> "2".equals(source.rows.get("a")));
    provider.close();
    source.rows.clear();
    open(mode, FAST).close();
    assertThat(source.rows).isEmpty();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Two managers of a directory share the entries, and one of them writes.
  @Test
  void oneManagerWrites() throws Exception {
    VarveCache<String, String> cache = open(StorageMode.TIERED, FAST);
    try (VarveCachingProvider other = new VarveCachingProvider()) {
      Path store = directory.resolve("store");
      assertThatThrownBy(() -> open(other, store, StorageMode.TIERED, source, FAST))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("another manager");
      cache.close();
      open(other, store, StorageMode.TIERED, source, FAST).put("a", "1");
    }
    assertThat(source.rows).isEqualTo(Map.of("a", "1"));
  }

  /// Every change that was acknowledged before a kill is written once the cache opens again.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "PAGES"})
  void acknowledgedChangesReachTheWriterAfterAKill(StorageMode mode) throws Exception {
    Path output = directory.resolve("acknowledged");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WriteBehindTest.class.getName(),
                directory.resolve("store").toString(),
                mode.name())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    while (child.isAlive() && Files.size(output) < 5000) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    child.destroyForcibly().waitFor();
    String text = Files.readString(output);
    List<String> acknowledged = text.substring(0, text.lastIndexOf('\n')).lines().toList();
    assertThat(acknowledged).hasSizeGreaterThan(500);
    open(mode, FAST).close();
    Map<String, String> expected = new TreeMap<>();
    acknowledged.forEach(number -> expected.put("k" + Integer.parseInt(number) % 300, number));
    // The change that was being made may be there, or not.
    source.rows.values().removeIf(value -> Integer.parseInt(value) > acknowledged.size());
    expected.keySet().retainAll(source.rows.keySet());
    assertThat(expected).hasSizeGreaterThanOrEqualTo(299);
    assertThat(source.rows).isEqualTo(expected);
  }

  /// The process that is killed: puts entries whose writer fails, and prints which are in.
  public static void main(String[] arguments) throws Exception {
    TestSource failing = new TestSource();
    failing.down = true;
    VarveCache<String, String> cache =
        open(
            new VarveCachingProvider(),
            Path.of(arguments[0]),
            StorageMode.valueOf(arguments[1]),
            failing,
            FAST);
    for (int i = 1; ; i++) {
      cache.put("k" + i % 300, Integer.toString(i));
      System.out.write((i + "\n").getBytes(StandardCharsets.US_ASCII));
      System.out.flush();
    }
  }
}
