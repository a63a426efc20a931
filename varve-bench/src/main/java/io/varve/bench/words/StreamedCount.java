package io.varve.bench.words;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Counts the words of a stream of texts with what the JDK gives: a map for each part of a parallel
/// stream, and the smaller of two maps added to the other.
final class StreamedCount {
  private StreamedCount() {}

  static Map<String, Long> count(Stream<byte[]> texts) {
    // Named types, since streams of caches have methods of the same name that take other lambdas.
    Supplier<Map<String, Long>> empty = HashMap::new;
    BiConsumer<Map<String, Long>, byte[]> add =
        (counts, text) -> WordScan.scan(text, word -> counts.merge(word, 1L, Long::sum));
    BiConsumer<Map<String, Long>, Map<String, Long>> addAll =
        (counts, others) -> others.forEach((word, count) -> counts.merge(word, count, Long::sum));
    return texts.collect(empty, add, addAll);
  }
}
