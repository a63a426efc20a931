package example;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import java.nio.file.Files;
import java.nio.file.Path;

/// Puts one entry, which is on stable storage when `put` returns, and reads it after a new start.
public final class FirstPut {
  private static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());

  private FirstPut() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory("first-put");
    try (Store store = Store.open(directory)) {
      store.open(STOCK).put("apples", 10L);
    }
    try (Store store = Store.open(directory)) {
      System.out.println("stock of apples: " + store.open(STOCK).get("apples"));
    }
  }
}
