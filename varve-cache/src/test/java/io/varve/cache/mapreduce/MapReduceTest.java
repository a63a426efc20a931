package io.varve.cache.mapreduce;

import static io.varve.cache.mapreduce.WordJobs.TINY;
import static io.varve.cache.mapreduce.WordJobs.await;
import static io.varve.cache.mapreduce.WordJobs.model;
import static io.varve.cache.mapreduce.WordJobs.requireNothingLeft;
import static io.varve.cache.mapreduce.WordJobs.texts;
import static io.varve.cache.mapreduce.WordJobs.wordCount;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.cache.CacheEntry;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCache;
import io.varve.cache.VarveCachingProvider;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs against models. After each test no thread of a job runs, and no file of one is left.
@Tag("slow")
@Timeout(240)
class MapReduceTest {
  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;
  @TempDir Path spills;

  @AfterEach
  void nothingIsLeft() throws IOException {
    requireNothingLeft(spills);
    provider.close();
  }

  @SuppressWarnings("unchecked") // made with these types
  private VarveCache<Integer, String> cache(StorageMode mode) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    options.mode(mode).durability(Durability.BACKGROUND);
    if (mode.hasPages()) {
      options.heapEntriesMax(50);
    }
    return provider
        .getCacheManager(null, null, properties)
        .createCache("texts", options)
        .unwrap(VarveCache.class);
  }

  @ParameterizedTest
  @EnumSource
  void wordsOfACacheAreCounted(StorageMode mode) {
    VarveCache<Integer, String> cache = cache(mode);
    List<String> texts = texts(500);
    for (int i = 0; i < texts.size(); i++) {
      cache.put(i, texts.get(i));
    }
    MapReduce<CacheEntry<Integer, String>, String, Long, Long> words =
        MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                (entry, out) -> {
                  for (String word : entry.getValue().split(" ")) {
                    out.emit(word, 1L);
                  }
                })
            .combine(Long::sum)
            .spillDirectory(spills);
    assertThat(words.run(cache.stream())).isEqualTo(model(texts));
    assertThat(words.budgetBytes(TINY).run(cache.parallelStream())).isEqualTo(model(texts));
    Job<Long> distinct = words.start(cache.stream(), Stream::count);
    assertThat(distinct.join()).isEqualTo(model(texts).size());
    Progress progress = distinct.progress();
    assertThat(progress.phase()).isEqualTo(Progress.Phase.DONE);
    assertThat(progress.entriesDone()).isEqualTo(500);
    assertThat(progress.share()).isEqualTo(1);
    assertThat(progress.bytesDone())
        .isGreaterThan(texts.stream().mapToLong(String::length).sum())
        .isEqualTo(progress.bytesTotal());
    assertThat(words.run(cache.stream().filter(entry -> entry.getKey() < 10)))
        .isEqualTo(model(texts.subList(0, 10)));
  }

  /// A job sees one point, whatever is changed while it runs.
  @ParameterizedTest
  @EnumSource
  void concurrentChangesAreNotSeen(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = cache(mode);
    List<String> texts = texts(400);
    for (int i = 0; i < texts.size(); i++) {
      cache.put(i, texts.get(i));
    }
    CountDownLatch mapping = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    Job<Map<String, Long>> job =
        MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                (entry, out) -> {
                  mapping.countDown();
                  await(changed);
                  for (String word : entry.getValue().split(" ")) {
                    out.emit(word, 1L);
                  }
                })
            .combine(Long::sum)
            .start(cache.stream(), WordJobs::collect);
    mapping.await();
    for (int i = 0; i < 800; i++) {
      cache.put(i, "other words");
    }
    cache.remove(7);
    assertThat(job.isDone()).isFalse();
    changed.countDown();
    assertThat(job.join()).isEqualTo(model(texts));
  }

  /// The result is the same for any budget: whatever is combined in tables, in runs and at last.
  @ParameterizedTest
  @ValueSource(longs = {TINY, 3 * TINY, 1 << 20, 1 << 30})
  void anyBudgetGivesTheSame(long budgetBytes) {
    List<String> texts = texts(2000);
    Job<Map<String, Long>> job =
        wordCount(budgetBytes, spills).start(texts.stream(), WordJobs::collect);
    assertThat(job.join()).isEqualTo(model(texts));
    JobStatistics statistics = job.statistics();
    assertThat(statistics.emitted()).isEqualTo(2000 * 40);
    assertThat(statistics.distinct()).isEqualTo(model(texts).size());
    assertThat(statistics.spills() > 0).isEqualTo(budgetBytes <= 1 << 20);
    assertThat(statistics.tableBytesMax()).isLessThan(2 * budgetBytes);
    if (statistics.spills() == 0) {
      assertThat(statistics.emitted() - statistics.combined())
          .isBetween(statistics.distinct(), 3 * statistics.distinct());
    } else {
      assertThat(statistics.spilledPairs()).isLessThan(statistics.emitted());
      assertThat(statistics.spilledBytes()).isGreaterThan(statistics.spilledPairs());
      assertThat(statistics.spillTime()).isPositive();
    }
  }

  /// Values that are no scalars, and grow as they are combined.
  @ParameterizedTest
  @ValueSource(longs = {TINY, 1 << 30})
  void valuesThatGrowAreMeasured(long budgetBytes) {
    Combiner<TreeSet<Integer>> union =
        (one, other) -> {
          one.addAll(other);
          return one;
        };
    Job<Map<Integer, TreeSet<Integer>>> job =
        MapReduce.<Integer, Integer, TreeSet<Integer>>map(
                (number, out) -> out.emit(number % 100, new TreeSet<>(List.of(number))))
            .combine(union)
            .threads(2)
            .budgetBytes(budgetBytes)
            .spillDirectory(spills)
            .start(IntStream.range(0, 20_000).boxed(), WordJobs::collect);
    Map<Integer, TreeSet<Integer>> model = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      model.computeIfAbsent(i % 100, _ -> new TreeSet<>()).add(i);
    }
    assertThat(job.join()).isEqualTo(model);
    assertThat(job.statistics().spills() > 0).isEqualTo(budgetBytes == TINY);
  }

  /// Without a combiner the reducer gets all values.
  @ParameterizedTest
  @ValueSource(longs = {TINY, 1 << 30})
  void aReducerAloneGetsAllValues(long budgetBytes) {
    Map<String, List<Integer>> sorted =
        MapReduce.<Integer, String, Integer>map(
                (number, out) -> {
                  out.emit("mod" + number % 700, number);
                  out.emit("all", 1);
                })
            .reduce((key, values) -> {
              List<Integer> all = new ArrayList<>();
              values.forEachRemaining(all::add);
              all.sort(null);
              return all;
            })
            .threads(3)
            .budgetBytes(budgetBytes)
            .spillDirectory(spills)
            .run(IntStream.range(0, 10_000).boxed());
    assertThat(sorted).hasSize(701);
    assertThat(sorted.get("all")).hasSize(10_000);
    assertThat(sorted.get("mod3"))
        .isEqualTo(IntStream.range(0, 10_000).filter(i -> i % 700 == 3).boxed().toList());
  }

  /// With a combiner the reducer gets the one value that it made.
  @ParameterizedTest
  @ValueSource(longs = {TINY, 1 << 30})
  void aReducerAfterACombinerGetsOneValue(long budgetBytes) {
    List<String> texts = texts(1000);
    Map<String, String> results =
        wordCount(budgetBytes, spills)
            .reduce((String word, Iterator<Long> counts) -> {
              String result = word + "=" + counts.next();
              assertThat(counts.hasNext()).isFalse();
              return result;
            })
            .run(texts.stream());
    Map<String, String> expected = new HashMap<>();
    model(texts).forEach((word, count) -> expected.put(word, word + "=" + count));
    assertThat(results).isEqualTo(expected);
  }

  /// Keys that are too long for a space, next to short ones that begin alike.
  @Test
  void longKeysAreSpilledAsWell() {
    Map<String, Long> counts =
        MapReduce.<Integer, String, Long>map(
                (number, out) -> {
                  out.emit("k".repeat(number % 300 * 20), 1L);
                  out.emit("k".repeat(number % 300 * 20) + "\0", 1L);
                })
            .combine(Long::sum)
            .threads(2)
            .budgetBytes(TINY)
            .spillDirectory(spills)
            .run(IntStream.range(0, 3000).boxed());
    assertThat(counts).hasSize(600).allSatisfy((_, count) -> assertThat(count).isEqualTo(10));
  }

  /// A key whose hash code is that of all others.
  private record Colliding(int number) implements Serializable {
    private static final AtomicLong COMPARED = new AtomicLong();

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      COMPARED.incrementAndGet();
      return other instanceof Colliding(int same) && same == number;
    }
  }

  /// Keys of which each is compared with all others would take hours, if there are many.
  @Test
  void hashCodesThatCollideCostLittle() {
    int count = 3000;
    ClassLoader loader = getClass().getClassLoader();
    Marshaller<Colliding> keys =
        new Marshaller<>() {
          @Override
          public byte[] toBytes(Colliding key) {
            return ByteBuffer.allocate(4).putInt(key.number).array();
          }

          @Override
          public Colliding fromBytes(byte[] bytes) {
            return new Colliding(ByteBuffer.wrap(bytes).getInt());
          }
        };
    Colliding.COMPARED.set(0);
    Job<Long> job =
        MapReduce.<Integer, Colliding, Long>map(
                (number, out) -> out.emit(new Colliding(number % count), 1L))
            .combine(Long::sum)
            .marshallers(keys, Marshallers.ofType(Long.class, loader))
            .threads(2)
            .start(
                IntStream.range(0, 2 * count).boxed(),
                results -> results.filter(result -> result.getValue() == 2).count());
    assertThat(job.join()).isEqualTo(count);
    assertThat(Colliding.COMPARED.get()).isLessThan(200_000);
  }

  /// More runs than are merged together.
  @Test
  void manyRunsAreMergedInLevels() {
    int count = 150_000;
    Job<Long> job =
        MapReduce.<Integer, String, Long>map(
                (number, out) -> out.emit("some word " + number % count, 1L))
            .combine(Long::sum)
            .threads(1)
            .budgetBytes(TINY)
            .spillDirectory(spills)
            .start(
                IntStream.range(0, count + count / 2).boxed(),
                results -> results.mapToLong(Map.Entry::getValue).sum());
    assertThat(job.join()).isEqualTo(count + count / 2);
    assertThat(job.statistics().distinct()).isEqualTo(count);
    assertThat(job.statistics().spills()).isGreaterThan(200);
  }

  @Test
  void runsAreNotReadableOnDisk() {
    Job<Long> job =
        MapReduce.<Integer, String, Long>map((number, out) -> out.emit("plain-word" + number, 1L))
            .combine(Long::sum)
            .threads(1)
            .budgetBytes(TINY)
            .spillDirectory(spills)
            .start(
                IntStream.range(0, 60_000).boxed(),
                results -> {
                  assertThat(textOfSpills()).isNotEmpty().doesNotContain("plain-word");
                  return results.count();
                });
    assertThat(job.join()).isEqualTo(60_000);
  }

  private String textOfSpills() {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(spills)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file, ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /// Values that grow only after many were combined that did not.
  @Test
  void valuesThatGrowLateAreMeasured() {
    Job<Long> job =
        MapReduce.<Integer, Integer, ArrayList<String>>map((number, out) ->
                out.emit(
                    number % 4, new ArrayList<>(List.of(number < 4000 ? "" : "x".repeat(5000)))))
            .combine((one, other) -> {
              if (!other.getFirst().isEmpty()) {
                one.addAll(other);
              }
              return one;
            })
            .threads(1)
            .budgetBytes(1 << 20)
            .spillDirectory(spills)
            .start(IntStream.range(0, 4000 + 800).boxed(), Stream::count);
    assertThat(job.join()).isEqualTo(4);
    assertThat(job.statistics().spills()).isPositive();
    assertThat(job.statistics().tableBytesMax()).isGreaterThan(1 << 20);
  }

  @Test
  void aJobOverNothingHasNoResults() {
    assertThat(wordCount(TINY, spills).run(Stream.empty())).isEmpty();
  }

  @Test
  void aJobNeedsACombinerOrAReducer() {
    MapReduce<String, String, Long, Long> job = MapReduce.map((text, out) -> out.emit(text, 1L));
    AtomicBoolean closed = new AtomicBoolean();
    assertThatThrownBy(() -> job.run(Stream.of("a").onClose(() -> closed.set(true))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("combiner");
    assertThat(closed).as("a stream may hold a snapshot").isTrue();
    assertThatThrownBy(() -> job.threads(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> job.budgetBytes(1)).isInstanceOf(IllegalArgumentException.class);
  }
}
