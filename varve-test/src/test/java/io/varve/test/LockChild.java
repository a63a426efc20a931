package io.varve.test;

import io.varve.Store;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.file.Path;

/// The process that opens a store and holds it until it is killed, or reports that it was refused.
final class LockChild {
  private LockChild() {}

  public static void main(String[] arguments) throws IOException {
    try (Store store = Store.open(Path.of(arguments[0]), Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      System.out.print("opened\n");
      System.out.flush();
      System.in.read(); // nothing comes
    } catch (StoreLockedException e) {
      System.out.print("refused: " + e.getMessage() + "\n");
      System.out.flush();
    }
  }
}
