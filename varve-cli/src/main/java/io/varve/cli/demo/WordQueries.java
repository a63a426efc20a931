package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Questions to the index, all answered from one snapshot.
final class WordQueries {
  /// A path or word, and how often.
  record Hit(String name, long count) {
    /// The most first, then by name.
    static final Comparator<Hit> BEST_FIRST =
        Comparator.comparingLong(Hit::count).reversed().thenComparing(Hit::name);
  }

  private final Snapshot snapshot;
  private final DemoSpaces spaces;

  WordQueries(Snapshot snapshot, DemoSpaces spaces) {
    this.snapshot = snapshot;
    this.spaces = spaces;
  }

  /// How many files have the word.
  long fileCount(String word) {
    return snapshot.count(spaces.words(), Range.prefix(IndexKey.prefix(word)));
  }

  /// The files that have the word most often.
  List<Hit> filesWithMost(String word, int limit) {
    var best = new PriorityQueue<>(Hit.BEST_FIRST.reversed());
    try (Cursor cursor = snapshot.cursor(spaces.words(), Range.prefix(IndexKey.prefix(word)))) {
      while (cursor.next()) {
        byte[] count = cursor.value();
        best.add(new Hit(IndexKey.path(cursor.key()), Varint.decode(count, count.length)));
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
    return best.stream().sorted(Hit.BEST_FIRST).toList();
  }

  /// The first words that start so, and in how many files each is. Jumps from word to word.
  List<Hit> wordsStartingWith(String prefix, int limit) {
    var words = new ArrayList<Hit>();
    try (Cursor cursor = snapshot.cursor(spaces.words(), Range.prefix(prefix.getBytes(UTF_8)))) {
      boolean found = cursor.first();
      while (found && words.size() < limit) {
        String word = IndexKey.word(cursor.key());
        words.add(new Hit(word, fileCount(word)));
        found = cursor.seek(IndexKey.end(word));
      }
    }
    return words;
  }

  /// The files that have both words. Two cursors leap over each other's gaps, so the cost goes by
  /// the rarer word.
  List<String> filesWithBoth(String one, String other) {
    var both = new ArrayList<String>();
    try (Cursor left = snapshot.cursor(spaces.words(), Range.prefix(IndexKey.prefix(one)));
        Cursor right = snapshot.cursor(spaces.words(), Range.prefix(IndexKey.prefix(other)))) {
      boolean found = left.first();
      while (found) {
        String path = IndexKey.path(left.key());
        if (!right.seek(IndexKey.of(other, path.getBytes(UTF_8)))) {
          break;
        }
        String rightPath = IndexKey.path(right.key());
        if (rightPath.equals(path)) {
          both.add(path);
          found = left.next();
        } else {
          found = left.seek(IndexKey.of(one, rightPath.getBytes(UTF_8)));
        }
      }
    }
    return both;
  }
}
