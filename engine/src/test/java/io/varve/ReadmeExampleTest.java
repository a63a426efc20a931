package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the example of README.md: what the page promises a reader compiles and does what it says.
class ReadmeExampleTest {
  @TempDir Path directory;

  @Test
  void exampleStoresWhatItSays() {
    byte[] key = "order-2".getBytes(UTF_8);
    byte[] oldKey = "order-1".getBytes(UTF_8);
    byte[] value = "3 apples".getBytes(UTF_8);
    List<Entry> printed = new ArrayList<>();

    try (Store store = Store.open(directory)) {
      OrderedMap<String, Long> stock = store.map("stock", Codec.string(), Codec.int64());
      stock.merge("apples", 10L, Long::sum); // on stable storage when it returns

      Space orders = store.space("orders");
      store.transact(tx -> { // atomic over spaces, serializable, run again on conflict
        tx.put(orders, key, value);
        tx.delete(orders, oldKey);
      });

      try (Snapshot snapshot = store.snapshot()) { // one point in the commit order
        snapshot.scan(orders, Range.all()).forEach(printed::add);
      }
      store.verify().requireSound();
    }

    assertThat(printed).containsExactly(new Entry(key, value));
    try (Store reopened = Store.open(directory)) {
      assertThat(reopened.map("stock", Codec.string(), Codec.int64())).containsEntry("apples", 10L);
      reopened.verify().requireSound();
    }
  }
}
