package io.varve.bench.words;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Stream;

/// Counts the words of a stream of texts with what the JDK gives: a map for each part of a parallel
/// stream, and the smaller of two maps added to the other.
final class StreamedCount {
  private StreamedCount() {}

  static Map<String, Long> count(Stream<byte[]> texts) {
    // Named types, since streams of caches have methods of the same name that take other lambdas.
    Collector<byte[], ?, Map<String, Long>> counting = counting();
    return texts.collect(counting);
  }

  static Collector<byte[], ?, Map<String, Long>> counting() {
    return Collector.of(
        HashMap::new,
        (counts, text) -> WordScan.scan(text, word -> counts.merge(word, 1L, Long::sum)),
        StreamedCount::added,
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.IDENTITY_FINISH);
  }

  private static Map<String, Long> added(Map<String, Long> one, Map<String, Long> other) {
    Map<String, Long> larger = one.size() < other.size() ? other : one;
    Map<String, Long> smaller = one.size() < other.size() ? one : other;
    smaller.forEach((word, count) -> larger.merge(word, count, Long::sum));
    return larger;
  }
}
