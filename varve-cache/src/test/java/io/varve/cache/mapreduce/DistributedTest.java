package io.varve.cache.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs whose elements are in several parts, each of which gets its plan as bytes and gives what it
/// has as bytes, as between processes.
@Timeout(240)
class DistributedTest {
  /// The mapper of a test that is cancelled waits here; static, since jobs travel as bytes.
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private static final CountDownLatch MAPPING = new CountDownLatch(1);

  @TempDir Path spills;

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("varve-mapreduce"))
        .isEmpty();
    try (Stream<Path> files = Files.list(spills)) {
      assertThat(files).isEmpty();
    }
  }

  private static <E, K, V> PartPlan<E, K, V> sent(PartPlan<E, K, V> plan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(plan);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        @SuppressWarnings("unchecked") // what was written
        PartPlan<E, K, V> read = (PartPlan<E, K, V>) in.readObject();
        return read;
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /// Elements in as many parts as there are lists.
  private static <E> Distributed<E> parted(List<List<E>> lists) {
    return plan -> new LocalParts<>(sent(plan), lists);
  }

  private static final class LocalParts<E> implements Parts {
    private final PartPlan<? super E, ?, ?> plan;
    private final List<List<E>> lists;
    private final List<Part> parts = new ArrayList<>();

    LocalParts(PartPlan<? super E, ?, ?> plan, List<List<E>> lists) {
      this.plan = plan;
      this.lists = lists;
    }

    @Override
    public synchronized List<Pages> map() throws InterruptedException {
      for (List<E> list : lists) {
        parts.add(plan.start(list.stream()));
      }
      for (Part part : parts) {
        assertThat(part.awaitMapped(Duration.ofDays(1))).isTrue();
      }
      return List.copyOf(parts);
    }

    @Override
    public MapFigures figures() {
      return parts.stream().map(Part::figures).reduce(MapFigures.NONE, MapFigures::plus);
    }

    @Override
    public void close() {
      parts.forEach(Part::close);
    }
  }

  private static List<List<String>> texts(int parts, int words) {
    SplittableRandom random = new SplittableRandom(11);
    List<List<String>> all = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < 40; word++) {
          text.append("word").append(random.nextInt(1 + random.nextInt(words))).append(' ');
        }
        texts.add(text.toString());
      }
      all.add(texts);
    }
    return all;
  }

  private static Map<String, Long> model(List<List<String>> parts) {
    Map<String, Long> model = new HashMap<>();
    for (List<String> texts : parts) {
      for (String text : texts) {
        for (String word : text.split(" ")) {
          model.merge(word, 1L, Long::sum);
        }
      }
    }
    return model;
  }

  private MapReduce<String, String, Long, Long> words() {
    return MapReduce.<String, String, Long>map(
            (text, out) -> {
              for (String word : text.split(" ")) {
                out.emit(word, 1L);
              }
            })
        .combine(Long::sum)
        .threads(2)
        .spillDirectory(spills);
  }

  @Test
  void anyNumberOfPartsGivesTheSame() {
    for (int parts = 0; parts <= 4; parts++) {
      List<List<String>> texts = texts(parts, 20_000);
      assertThat(words().run(parted(texts))).isEqualTo(model(texts));
      assertThat(words().budgetBytes(MapReduce.BUDGET_BYTES_MIN).run(parted(texts)))
          .isEqualTo(model(texts));
    }
  }

  @Test
  void figuresAreThoseOfAllParts() {
    List<List<String>> texts = texts(3, 20_000);
    Job<Long> job =
        words()
            .budgetBytes(MapReduce.BUDGET_BYTES_MIN)
            .start(parted(texts), results -> results.mapToLong(Map.Entry::getValue).sum());
    assertThat(job.join()).isEqualTo(3 * 300 * 40);
    assertThat(job.progress()).isEqualTo(new Progress(Progress.Phase.DONE, 900, 900, 0, 0));
    JobStatistics statistics = job.statistics();
    assertThat(statistics.emitted()).isEqualTo(3 * 300 * 40);
    assertThat(statistics.distinct()).isEqualTo(model(texts).size());
    assertThat(statistics.spills()).isGreaterThan(3);
  }

  /// Keys whose values take several records and pages, and keys that are stored by a hash.
  @Test
  void allValuesOfAKeyReachTheReducer() {
    List<List<Integer>> parts = List.of(List.of(1, 2, 3), List.of(), List.of(3, 4));
    MapReduce<Integer, String, String, Long> lengths =
        MapReduce.<Integer, String, String>map(
                (number, out) -> {
                  for (int i = 0; i < 10; i++) {
                    out.emit("long".repeat(2000) + number, "v".repeat(100_000 + i));
                  }
                  out.emit("short", "v".repeat(number));
                })
            .reduce(DistributedTest::length)
            .spillDirectory(spills);
    Map<String, Long> expected = new TreeMap<>();
    for (int number : List.of(1, 2, 3, 3, 4)) {
      expected.merge("long".repeat(2000) + number, 10 * 100_000L + 45, Long::sum);
      expected.merge("short", (long) number, Long::sum);
    }
    assertThat(lengths.run(parted(parts))).isEqualTo(expected);
    assertThat(lengths.budgetBytes(MapReduce.BUDGET_BYTES_MIN).run(parted(parts)))
        .isEqualTo(expected);
  }

  private static long length(String key, Iterator<String> values) {
    assertThat(key).isNotEmpty();
    long length = 0;
    while (values.hasNext()) {
      length += values.next().length();
    }
    return length;
  }

  @Test
  void whatAMapperThrowsEndsAllParts() {
    MapReduce<String, String, Long, Long> failing =
        MapReduce.<String, String, Long>map(
                (_, _) -> {
                  throw new IllegalStateException("planted");
                })
            .combine(Long::sum);
    assertThatThrownBy(() -> failing.run(parted(texts(3, 10)))).hasMessage("planted");
  }

  @Test
  void aCancelEndsAllParts() throws InterruptedException {
    MapReduce<String, String, Long, Long> waiting =
        MapReduce.<String, String, Long>map(
                (_, _) -> {
                  MAPPING.countDown();
                  try {
                    NEVER.await();
                  } catch (InterruptedException e) {
                    throw new CancellationException("interrupted");
                  }
                })
            .combine(Long::sum);
    Job<Long> job = waiting.start(parted(texts(3, 10)), Stream::count);
    MAPPING.await();
    assertThat(job.cancel()).isTrue();
    assertThatThrownBy(job::join).isInstanceOf(CancellationException.class);
  }
}
