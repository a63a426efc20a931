package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.spi.SpaceIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which index a definition finds after a rename and a restart.
class RenamedIndexTest {
  @TempDir private Path directory;

  /// Values are two words, of which one is indexed. Indexes of other words may have the same id.
  private record Word(String name, String id, int number) implements SpaceIndex {
    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      String word = List.of(new String(value, UTF_8).split(" ", -1)).get(number);
      prefixes.accept((word + ";").getBytes(UTF_8));
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return new String(indexEntry, UTF_8).indexOf(';') + 1;
    }
  }

  private static final Word CITY = new Word("city", "1", 0);
  private static final Word ZIP = new Word("zip", "1", 1);

  private static IndexedSpace keep(Store store, Word... indexes) {
    IndexedSpace indexed = store.indexed(store.space("addresses"));
    indexed.keep(List.of(indexes), ProgressListener.none());
    return indexed;
  }

  private static void put(IndexedSpace indexed, String value) {
    indexed.space().put(value.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private static List<String> names(IndexedSpace indexed) {
    return indexed.list().stream().map(IndexStatus::name).toList();
  }

  /// The words that a definition finds.
  private static List<String> words(IndexedSpace indexed, Word index) {
    List<String> words = new ArrayList<>();
    try (Snapshot snapshot = indexed.space().store().snapshot()) {
      Space entries = Objects.requireNonNull(indexed.entries(index, snapshot));
      try (Cursor cursor = snapshot.cursor(entries, Range.all())) {
        while (cursor.next()) {
          String entry = new String(cursor.key(), UTF_8);
          words.add(entry.substring(0, entry.indexOf(';')));
        }
      }
    }
    return words;
  }

  @Test
  void anIndexOfAnotherNameIsNotTakenForItsId() {
    try (Store store = Store.open(directory)) {
      put(keep(store, CITY), "Bonn 53111");
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, ZIP);
      assertThat(words(indexed, ZIP)).containsExactly("53111");
      assertThat(names(indexed)).containsExactly("city", "zip");
      indexed.drop("city");
      put(indexed, "Trier 54290");
      assertThat(words(indexed, ZIP)).containsExactly("53111", "54290");
      store.verify().requireSound();
    }
  }

  @Test
  void anIndexIsFoundByTheNameBeforeAllItsRenames() {
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, CITY, ZIP);
      put(indexed, "Bonn 53111");
      indexed.rename("city", "unique");
      indexed.rename("unique", "town");
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = store.indexed(store.space("addresses"));
      assertThat(indexed.rename("town", "built")).isTrue();
      assertThat(indexed.list()).noneMatch(IndexStatus::isUnique).allMatch(IndexStatus::isBuilt);
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, ZIP, CITY);
      put(indexed, "Trier 54290");
      assertThat(names(indexed)).containsExactly("built", "zip");
      assertThat(words(indexed, CITY)).containsExactly("Bonn", "Trier");
      assertThat(words(indexed, ZIP)).containsExactly("53111", "54290");
      store.verify().requireSound();
    }
  }

  @Test
  void anIndexThatHasItsOwnNameAgainIsFoundByNoOther() {
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, CITY);
      put(indexed, "Bonn 53111");
      indexed.rename("city", "town");
      indexed.rename("town", "city");
      assertThat(indexed.rename("city", "zip")).isTrue();
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = store.indexed(store.space("addresses"));
      indexed.rename("zip", "city");
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, ZIP);
      assertThat(names(indexed)).containsExactly("city", "zip");
      assertThat(words(indexed, ZIP)).containsExactly("53111");
    }
  }

  @Test
  void anotherIndexOfTheNameIsDroppedForTheRenamedOne() {
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, CITY);
      put(indexed, "Bonn 53111");
      indexed.rename("city", "town");
      keep(store, new Word("town", "1", 0)); // the program follows the rename
    }
    try (Store store = Store.open(directory)) {
      keep(store, new Word("town", "1", 0), new Word("city", "2", 1));
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, CITY);
      assertThat(names(indexed)).containsExactly("town");
      put(indexed, "Trier 54290");
      assertThat(words(indexed, CITY)).containsExactly("Bonn", "Trier");
      store.verify().requireSound();
    }
  }
}
