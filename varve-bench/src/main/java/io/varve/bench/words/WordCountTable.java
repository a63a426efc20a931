package io.varve.bench.words;

import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.DataSet;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.TableRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// Counts the words of texts of one length after the other, of the JDK's sources, and of texts that
/// hold each word once.
public final class WordCountTable implements Table {
  private static final int[] VALUE_KILOBYTES = {1, 2, 4, 8, 16, 32, 64, 128, 512, 2048};
  private static final long MEGABYTE = 1_000_000;

  /// The sources of a JDK take about this many times the default size.
  private static final int SOURCES_FACTOR = 8;

  /// Words that are there once, for each megabyte of the size: their table takes some ten times the
  /// least budget of a job.
  private static final int DISTINCT_WORDS_PER_MEGABYTE = 16_000;

  /// Makes the table.
  public WordCountTable() {}

  @Override
  public String label() {
    return "wordcount";
  }

  @Override
  public String description() {
    return "words counted in values of 1 KB to 2 MB, in the JDK's sources, and where each word is"
        + " there once: MB of text a second by all cores, and CPU time";
  }

  @Override
  public List<String> engines() {
    return TextsType.ALL.stream().map(EngineType::label).toList();
  }

  /// The size is in megabytes of text.
  @Override
  public Plan plan() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new Plan(List.of(cores), List.of(1), Timing.seconds(1, 2), 32, 512L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: counts no words");
  }

  @Override
  public List<String> published() {
    return List.of(
        "published: 100 MB/s per node, the peak at values of 32 KB, less above (Infinispan)",
        "concurrent-map is what memory gives for the same job; it has no bound on memory",
        "each word once: caches count the results as they come, the others gather them in a map",
        "cache-pages is measured with all pages in the memory of its page cache or the system's");
  }

  @Override
  public List<Stage> stages() {
    return List.of(WordCountTable::run);
  }

  private static void run(TableRun run) {
    byte[] text = SampleText.ofBytes(Math.toIntExact(run.plan().size() * MEGABYTE));
    for (int kilobytes : VALUE_KILOBYTES) {
      count(run, "values of " + kilobytes + " KB", SampleText.pieces(text, kilobytes << 10));
    }
    List<byte[]> sources =
        DataSet.SOURCE_FILES.entries(SOURCES_FACTOR * MEGABYTE * run.plan().size()).stream()
            .map(DataSet.Entry::value)
            .toList();
    if (sources.isEmpty()) {
      System.err.println("wordcount: sources left out, since this JDK has no lib/src.zip");
    } else {
      count(run, "sources of the JDK", sources);
    }
    int words = run.plan().size() * DISTINCT_WORDS_PER_MEGABYTE;
    cell(
        run,
        "each word once",
        SampleText.ofDistinctWords(words),
        counted -> {
          long found = counted.countWordsSparingly();
          if (found != words) {
            throw new WrongAnswerException(
                "wrong number of words: found=" + found + ", expected=" + words);
          }
        },
        Texts::countWordsSparingly);
  }

  private static void count(TableRun run, String caseName, List<byte[]> texts) {
    Map<String, Long> expected = new HashMap<>();
    texts.forEach(text -> WordScan.scan(text, word -> expected.merge(word, 1L, Long::sum)));
    cell(
        run,
        caseName,
        texts,
        counted -> {
          if (!counted.countWords().equals(expected)) {
            throw new WrongAnswerException("wrong counts of words: case=" + caseName);
          }
        },
        counted -> counted.countWords().size());
  }

  private static void cell(
      TableRun run,
      String caseName,
      List<byte[]> texts,
      Consumer<Texts> check,
      ToLongFunction<Texts> counting) {
    long bytes = texts.stream().mapToLong(text -> text.length).sum();
    try (ScratchDirectory data = run.directory().inner("wordcount");
        Texts counted = open(run, data, texts)) {
      for (int i = 0; i < texts.size(); i++) {
        counted.put(i, texts.get(i));
      }
      check.accept(counted);
      Timing timing = run.plan().timing();
      repeat(counted, counting, timing.warmUpNanos());
      Rounds rounds = repeat(counted, counting, timing.measuredNanos());
      double megabytes = rounds.count * bytes / MEGABYTE;
      int threads = run.plan().threads().getFirst();
      run.rows().accept(caseName, threads, Metric.THROUGHPUT, megabytes * 1e9 / rounds.nanos);
      run.rows().accept(caseName, threads, Metric.CPU, rounds.cpuNanos / 1e6 / megabytes);
    }
  }

  private static Texts open(TableRun run, ScratchDirectory data, List<byte[]> texts) {
    return (Texts)
        run.type()
            .open(
                new EngineSettings(
                    data.path(), Promise.FAST, run.plan().cacheBytes(), texts.size(), 0));
  }

  /// Counts that were made one after the other.
  ///
  /// @param cpuNanos of all threads of the process
  private record Rounds(double count, double nanos, double cpuNanos) {}

  private static Rounds repeat(Texts texts, ToLongFunction<Texts> counting, long nanosMin) {
    long cpuBegin = ProcessUse.cpuNanos();
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
    return new Rounds(rounds, nanos, ProcessUse.cpuNanos() - cpuBegin);
  }
}
