package io.varve.cli.demo;

import io.varve.Codec;
import io.varve.Snapshot;
import io.varve.Table;
import io.varve.query.Attribute;
import io.varve.query.Entity;
import io.varve.query.Queries;
import io.varve.query.Query;
import io.varve.query.QueryTable;
import io.varve.query.Row;
import java.util.List;

/// Questions to the index as queries of text, all answered from one snapshot.
///
/// The index is a table of counts. Its keys are texts, so a condition on the key reads a range of
/// the space and no more.
final class WordQueries {
  /// In how many files a word is: by counts of pages alone.
  static final String FILES =
      "select count(*) from words where id(this) >= :low and id(this) < :high";

  /// The files that have a word most often.
  static final String MOST =
      "select substring(id(this), :start) as path, count as n from words"
          + " where id(this) >= :low and id(this) < :high order by n desc, path limit :most";

  /// The files that have two words.
  static final String BOTH =
      "select substring(id(a), :start) as path from words a join words b"
          + " on id(b) = :other || substring(id(a), :start)"
          + " where id(a) >= :low and id(a) < :high"
          + " and id(b) >= :other and id(b) < :otherHigh order by path";

  /// The words that begin alike, and in how many files each is.
  static final String BEGINNING =
      "select substring(id(this), 1, locate(:separator, id(this)) - 1) as word, count(*) as n"
          + " from words where id(this) >= :low and id(this) < :high"
          + " group by substring(id(this), 1, locate(:separator, id(this)) - 1)"
          + " order by n desc, word limit :most";

  private static final String SEPARATOR = "\0";
  private static final String AFTER_SEPARATOR = "\1";
  private static final String AFTER_ALL = Character.toString(Character.MAX_CODE_POINT);

  private static final Table<String, Long> WORDS =
      Table.of(
          "words",
          Codec.string(),
          Codec.of(Varint::encode, bytes -> Varint.decode(bytes, bytes.length)));

  private static final Entity<Long> COUNT =
      Entity.of("Count", Long.class, List.of(Attribute.of("count", Long.class, count -> count)));

  /// A path or word, and how often.
  record Hit(String name, long count) {
    private static Hit of(Row row) {
      return new Hit((String) row.values().getFirst(), (Long) row.values().getLast());
    }
  }

  private final Snapshot snapshot;
  private final Queries queries;

  WordQueries(Snapshot snapshot, DemoSpaces spaces) {
    this.snapshot = snapshot;
    this.queries =
        Queries.of(spaces.store()).table(QueryTable.of(WORDS, COUNT).open(spaces.store()));
  }

  private Query query(String text) {
    return queries.query(text).in(snapshot);
  }

  /// A query of the keys of a word.
  private Query ofWord(String text, String word) {
    return query(text).set("low", word + SEPARATOR).set("high", word + AFTER_SEPARATOR);
  }

  /// Where the path begins in the keys of a word, counted from one.
  private static int pathStart(String word) {
    return word.length() + SEPARATOR.length() + 1;
  }

  /// How many files have the word.
  long fileCount(String word) {
    return ofWord(FILES, word).list(Long.class).getFirst();
  }

  /// The files that have the word most often.
  List<Hit> filesWithMost(String word, int limit) {
    return ofWord(MOST, word).set("start", pathStart(word)).set("most", limit).list().stream()
        .map(Hit::of)
        .toList();
  }

  /// The words that begin so and are in most files.
  List<Hit> wordsStartingWith(String prefix, int limit) {
    return query(BEGINNING)
        .set("separator", SEPARATOR)
        .set("low", prefix)
        .set("high", prefix + AFTER_ALL)
        .set("most", limit)
        .list()
        .stream()
        .map(Hit::of)
        .toList();
  }

  /// The files that have both words, by path.
  List<String> filesWithBoth(String one, String other) {
    return ofWord(BOTH, one)
        .set("start", pathStart(one))
        .set("other", other + SEPARATOR)
        .set("otherHigh", other + AFTER_SEPARATOR)
        .list()
        .stream()
        .map(row -> (String) row.values().getFirst())
        .toList();
  }
}
