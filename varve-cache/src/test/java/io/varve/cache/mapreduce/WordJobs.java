package io.varve.cache.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// Texts, jobs that count their words, and the counts that they must find.
final class WordJobs {
  /// Small enough for many runs of a few thousand words.
  static final long TINY = MapReduce.BUDGET_BYTES_MIN;

  private WordJobs() {}

  /// No thread of a job runs, and no file of one is left.
  static void requireNothingLeft(Path spills) throws IOException {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("varve-mapreduce"))
        .isEmpty();
    try (Stream<Path> files = Files.list(spills)) {
      assertThat(files).isEmpty();
    }
  }

  /// Texts of some words, many of which are in many texts.
  static List<String> texts(int count) {
    SplittableRandom random = new SplittableRandom(7);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 40; word++) {
        int number = random.nextInt(random.nextInt(1, 20_000));
        text.append("word").append(number).append(' ');
      }
      texts.add(text.toString());
    }
    return texts;
  }

  static Map<String, Long> model(List<String> texts) {
    Map<String, Long> model = new HashMap<>();
    for (String text : texts) {
      for (String word : text.split(" ")) {
        model.merge(word, 1L, Long::sum);
      }
    }
    return model;
  }

  static MapReduce<String, String, Long, Long> wordCount(long budgetBytes, Path spills) {
    return MapReduce.<String, String, Long>map(
            (text, out) -> {
              for (String word : text.split(" ")) {
                out.emit(word, 1L);
              }
            })
        .combine(Long::sum)
        .threads(3)
        .budgetBytes(budgetBytes)
        .spillDirectory(spills);
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new CancellationException("interrupted");
    }
  }

  static <K, R> Map<K, R> collect(Stream<Map.Entry<K, R>> results) {
    Map<K, R> map = new TreeMap<>();
    results.forEach(result -> assertThat(map.put(result.getKey(), result.getValue())).isNull());
    return map;
  }
}
