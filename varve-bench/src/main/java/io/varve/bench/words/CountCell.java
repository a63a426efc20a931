package io.varve.bench.words;

import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.table.TableRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// Texts that are counted again and again: how many megabytes a second, and what CPU time.
///
/// @param caseName of the rows
/// @param threads of the rows
/// @param texts what is counted
record CountCell(String caseName, int threads, List<byte[]> texts) {
  static final long MEGABYTE = 1_000_000;

  /// Puts the texts, and counts how often each word is there.
  void count(TableRun run, Texts counted) {
    Map<String, Long> expected = new HashMap<>();
    texts.forEach(text -> WordScan.scan(text, word -> expected.merge(word, 1L, Long::sum)));
    measure(
        run,
        counted,
        all -> {
          if (!all.countWords().equals(expected)) {
            throw new WrongAnswerException("wrong counts of words: case=" + caseName);
          }
        },
        all -> all.countWords().size());
  }

  /// Puts the texts, checks one count, and measures others.
  void measure(TableRun run, Texts counted, Consumer<Texts> check, ToLongFunction<Texts> counting) {
    for (int i = 0; i < texts.size(); i++) {
      counted.put(i, texts.get(i));
    }
    check.accept(counted);
    Timing timing = run.plan().timing();
    repeat(counted, counting, timing.warmUpNanos());
    Rounds rounds = repeat(counted, counting, timing.measuredNanos());
    long bytes = texts.stream().mapToLong(text -> text.length).sum();
    double megabytes = rounds.count * bytes / MEGABYTE;
    run.rows().accept(caseName, threads, Metric.THROUGHPUT, megabytes * 1e9 / rounds.nanos);
    run.rows().accept(caseName, threads, Metric.CPU, rounds.cpuNanos / 1e6 / megabytes);
  }

  /// Counts that were made one after the other.
  ///
  /// @param cpuNanos of all threads of all processes
  private record Rounds(double count, double nanos, double cpuNanos) {}

  private static Rounds repeat(Texts texts, ToLongFunction<Texts> counting, long nanosMin) {
    long cpuBegin = texts.cpuNanos();
    long begin = System.nanoTime();
    long rounds = 0;
    long nanos;
    do {
      if (counting.applyAsLong(texts) == 0) {
        throw new WrongAnswerException("no words at all");
      }
      rounds++;
      nanos = System.nanoTime() - begin;
    } while (nanos < nanosMin);
    return new Rounds(rounds, nanos, texts.cpuNanos() - cpuBegin);
  }
}
