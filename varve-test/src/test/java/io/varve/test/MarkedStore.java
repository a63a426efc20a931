package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/// An encrypted store whose keys, values and names hold a marker that no file may show.
final class MarkedStore {
  static final String MARKER = "-what-nobody-may-read-";
  static final int ENTRIES = 400;

  private MarkedStore() {}

  static KeySource key(long seed) {
    byte[] key = new byte[KeySource.KEY_BYTES];
    new SplittableRandom(seed).nextBytes(key);
    return KeySource.of(key);
  }

  static StoreOptions with(KeySource key) {
    return Stores.tiny().encryption(key);
  }

  /// Makes a store that has leaves, inner pages, and large values of one and of several chunks in
  /// its page file. It has the same in a log that no checkpoint has taken in.
  static Model fill(Store store) {
    Model model = new Model();
    for (int half = 0; half < 2; half++) {
      Space space = store.space("space" + MARKER + half);
      for (int i = 0; i < ENTRIES; i++) {
        byte[] entry = Bytes.of(i + MARKER + half + " ".repeat(i % 90) + "\n");
        space.with(Durability.BACKGROUND).put(entry, entry);
        model.put(space.name(), entry, entry);
      }
      byte[] large = MARKER.repeat(1_300_000 / MARKER.length()).getBytes(StandardCharsets.UTF_8);
      for (int bytes : new int[] {5_000, 50_000, large.length}) {
        byte[] value = java.util.Arrays.copyOf(large, bytes);
        byte[] entryKey = Bytes.of("large" + bytes);
        space.put(entryKey, new ByteArrayInputStream(value), bytes);
        model.put(space.name(), entryKey, value);
      }
      store.transact(
          Durability.POWER_LOSS,
          transaction -> {
            for (int i = 0; i < 300; i++) {
              transaction.put(space, Bytes.of("t" + i), Bytes.of(MARKER.repeat(4)));
            }
          });
      for (int i = 0; i < 300; i++) {
        model.put(space.name(), Bytes.of("t" + i), Bytes.of(MARKER.repeat(4)));
      }
      if (half == 0) {
        store.checkpoint();
      }
    }
    return model;
  }

  static void requireNoMarker(SimulatedDisk disk, String when) throws IOException {
    assertThat(disk.fileNames()).contains("keys", "pages");
    for (String file : disk.fileNames()) {
      assertThat(new String(disk.content(file), StandardCharsets.ISO_8859_1))
          .as("%s, %s", file, when)
          .doesNotContain(MARKER);
    }
  }

  static Map<String, byte[]> contents(SimulatedDisk looked) throws IOException {
    Map<String, byte[]> contents = new HashMap<>();
    for (String file : looked.fileNames()) {
      contents.put(file, looked.content(file));
    }
    contents.remove("lock"); // names the process that looked last
    return contents;
  }

  /// Opens a store that must refuse, and change nothing.
  static void requireRefused(
      SimulatedDisk refusing,
      StoreOptions options,
      Class<? extends VarveException> type,
      String... said)
      throws IOException {
    Map<String, byte[]> before = contents(refusing);
    assertThatThrownBy(() -> SimulatedStore.open(refusing, options).close())
        .isInstanceOf(type)
        .hasMessageContainingAll(said);
    assertThat(contents(refusing)).containsExactlyInAnyOrderEntriesOf(before);
  }
}
