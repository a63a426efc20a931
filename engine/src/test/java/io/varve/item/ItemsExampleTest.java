package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the examples of docs/ITEMS.md, on a disk and in memory: that is one line of difference.
class ItemsExampleTest {
  @TempDir Path directory;

  @Test
  void exampleStoresWhatItShows() throws IOException {
    try (Store store = Store.open(directory)) {
      run(store);
    }
    try (Store reopened = Store.open(directory)) {
      assertThat(reopened.items("patents").count()).isEqualTo(7);
      reopened.verify().requireSound();
    }
  }

  @Test
  void exampleIsTheSameInMemory() throws IOException {
    try (Store store = Store.inMemory()) {
      run(store);
    }
  }

  private static void run(Store store) throws IOException {
    EntityClass patent = new EntityClass(10, "Patent");
    Attribute title = new Attribute(11, "Title");
    Attribute cites = new Attribute(12, "Cites");

    ItemSpace items = store.items("patents");
    items.update(Item.of(patent, 6_789_012L, title, "Folding boat"), 3); // one title: replaces it
    items.insert(Item.of(patent, 6_789_012L, cites, 5_000_001L)); // as many as there are
    items.insert(Item.of(patent, 6_789_012L, cites, 4_000_002L));
    items.commit(); // on stable storage when it returns

    List<Long> printed = new ArrayList<>();
    ItemCursor cursor = items.cursor(Item.of(patent, 6_789_012L, cites));
    while (cursor.next()) {
      printed.add(cursor.longAt(3)); // 4000002, then 5000001
    }
    assertThat(printed).containsExactly(4_000_002L, 5_000_001L);

    items.deleteSubspace(Item.of(patent, 6_789_012L));
    assertThat(items.count()).isZero();
    items.rollback(); // all is as at the commit
    assertThat(items.count()).isEqualTo(3);

    ConcurrentNavigableMap<Long, String> titles =
        items.map(Item.of("titles"), ItemCodec.int64(), ItemCodec.string());
    titles.put(6_789_012L, "Folding boat");
    NavigableSet<String> tags = items.set(Item.of("tags", 6_789_012L), ItemCodec.string());
    tags.add("water");
    assertThat(items.contains(Item.of("tags", 6_789_012L, "water"))).isTrue();

    InputStream in = new ByteArrayInputStream(new byte[1500]);
    try (OutputStream out = items.outputStream(Item.of("picture", 7L))) {
      in.transferTo(out);
    }
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    try (InputStream read = items.inputStream(Item.of("picture", 7L))) {
      read.transferTo(copy);
    }
    assertThat(copy.size()).isEqualTo(1500);
    items.commit();
  }
}
