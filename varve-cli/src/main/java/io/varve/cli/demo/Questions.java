package io.varve.cli.demo;

import io.varve.cli.console.Figures;
import io.varve.cli.demo.WordQueries.Hit;
import java.util.List;
import java.util.function.Supplier;

/// Asks the index what a reader of the sources might, and prints the queries, the answers and how
/// long each took.
record Questions(WordQueries queries, Report report) {
  private static final int FILES_SHOWN = 5;
  private static final int WORDS_SHOWN = 5;

  /// So long a start of a word is not too common.
  private static final int PREFIX_CHARS = 6;

  /// Asks about two words or more.
  void ask(List<String> words) {
    show(WordQueries.FILES, WordQueries.MOST);
    words.forEach(this::askForMost);
    show(WordQueries.BOTH);
    askForBoth(words.getFirst(), words.getLast());
    show(WordQueries.BEGINNING);
    String first = words.getFirst();
    askForPrefix(first.substring(0, Math.min(PREFIX_CHARS, first.length())));
  }

  private void show(String... texts) {
    for (String text : texts) {
      report.say("> " + text);
    }
  }

  private void askForMost(String word) {
    List<Hit> hits =
        timed(
            "'%s' is in %s, most often in"
                .formatted(word, Figures.count(queries.fileCount(word), "file")),
            () -> queries.filesWithMost(word, FILES_SHOWN));
    hits.forEach(this::say);
  }

  private void askForBoth(String one, String other) {
    List<String> both =
        timed(
            "files with '%s' and '%s'".formatted(one, other),
            () -> queries.filesWithBoth(one, other));
    say(new Hit(both.isEmpty() ? "-" : "the first: " + both.getFirst(), both.size()));
  }

  private void askForPrefix(String prefix) {
    List<Hit> words =
        timed(
            "words that start with '%s', by the number of their files".formatted(prefix),
            () -> queries.wordsStartingWith(prefix, WORDS_SHOWN));
    words.forEach(this::say);
  }

  private <T> T timed(String question, Supplier<T> answer) {
    long askedNanos = System.nanoTime();
    T result = answer.get();
    report.say("%s: (%s)".formatted(question, Report.timeSince(askedNanos)));
    return result;
  }

  private void say(Hit hit) {
    report.say("%8s  %s".formatted(Figures.count(hit.count()), hit.name()));
  }
}
