package io.varve.test;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// The process that [EncryptedKillTest] kills: puts marked entries from several threads into an
/// encrypted store, and prints the number of each when the store has acknowledged it.
final class EncryptedKillChild {
  static final String SPACE = "s";
  static final String MARKER = "-what-nobody-may-read-";

  private static final int THREADS = 3;
  private static final PrintStream OUT =
      new PrintStream(System.out, /* autoFlush= */ true, StandardCharsets.UTF_8);

  private EncryptedKillChild() {}

  public static void main(String[] arguments) {
    Store store = Store.open(Path.of(arguments[0]), Stores.tiny().encryption(Stores.key()));
    Space space = store.space(SPACE);
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      Thread.ofPlatform().start(() -> putForever(space, first));
    }
  }

  static byte[] key(long number) {
    return Bytes.of(number + MARKER);
  }

  /// Now and then a value that is in chunks of its own.
  static byte[] value(long number) {
    return Bytes.of(MARKER.repeat(number % 50 == 0 ? 1000 : 1 + (int) (number % 20)));
  }

  private static void putForever(Space space, int first) {
    for (long number = first; ; number += THREADS) {
      Durability durability = number % 3 == 0 ? Durability.POWER_LOSS : Durability.PROCESS_CRASH;
      space.with(durability).put(key(number), value(number));
      say(number);
      if (number % 500 == 0) {
        space.store().checkpoint();
      }
    }
  }

  private static synchronized void say(long number) {
    OUT.print(number + "\n");
    OUT.flush();
  }
}
