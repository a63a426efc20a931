package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the example of README.md: what the page shows a reader compiles and does what it promises.
class ReadmeExampleTest {
  @TempDir Path directory;

  static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());
  static final Table<UUID, String> ORDERS = Table.of("orders", Codec.uuid(), Codec.string());

  @Test
  void exampleStoresAndPrintsWhatItShows() {
    var printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(printed, true));
    try {
      runExample();
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString()).isEqualToIgnoringNewLines("apples=7");
    try (Store reopened = Store.open(directory.resolve("data"))) {
      assertThat(reopened.open(STOCK)).containsExactly(entry("apples", 7L));
      assertThat(reopened.open(ORDERS).values()).containsExactly("3 apples");
      reopened.verify().requireSound();
    }
  }

  private void runExample() {
    try (Store store = Store.open(directory.resolve("data"))) {
      store.open(STOCK).merge("apples", 10L, Long::sum); // on stable storage when it returns

      store.transact(tx -> { // atomic over tables, serializable, run again on conflict
        tx.open(STOCK).merge("apples", -3L, Long::sum);
        tx.open(ORDERS).put(UUID.randomUUID(), "3 apples");
      });

      try (Snapshot snapshot = store.snapshot()) { // one point in the commit order
        snapshot.open(STOCK).tailMap("a").entrySet().forEach(System.out::println);
      }
    }
  }
}
