package io.varve.bench.words;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.DataSet;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.TableRun;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Counts the words of texts of one length after the other, of the JDK's sources, and of texts that
/// hold each word once.
public final class WordCountTable implements Table {
  private static final int[] VALUE_KILOBYTES = {1, 2, 4, 8, 16, 32, 64, 128, 512, 2048};

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
    return TextsType.CACHES.stream().map(EngineType::label).toList();
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
    byte[] text = SampleText.ofBytes(Math.toIntExact(run.plan().size() * CountCell.MEGABYTE));
    for (int kilobytes : VALUE_KILOBYTES) {
      count(run, "values of " + kilobytes + " KB", SampleText.pieces(text, kilobytes << 10));
    }
    List<byte[]> sources =
        DataSet.SOURCE_FILES
            .entries(SOURCES_FACTOR * CountCell.MEGABYTE * run.plan().size())
            .stream()
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
        (cell, counted) ->
            cell.measure(
                run,
                counted,
                all -> {
                  long found = all.countWordsSparingly();
                  if (found != words) {
                    throw new WrongAnswerException(
                        "wrong number of words: found=" + found + ", expected=" + words);
                  }
                },
                Texts::countWordsSparingly));
  }

  private static void count(TableRun run, String caseName, List<byte[]> texts) {
    cell(run, caseName, texts, (cell, counted) -> cell.count(run, counted));
  }

  private static void cell(
      TableRun run, String caseName, List<byte[]> texts, BiConsumer<CountCell, Texts> body) {
    try (ScratchDirectory data = run.directory().inner("wordcount");
        Texts counted = ((TextsType) run.type()).open(data.path(), 1)) {
      body.accept(new CountCell(caseName, run.plan().threads().getFirst(), texts), counted);
    }
  }
}
