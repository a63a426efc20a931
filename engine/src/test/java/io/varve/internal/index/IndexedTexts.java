package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// A space of texts whose words are indexed, for the tests of indexes.
final class IndexedTexts {
  private IndexedTexts() {}

  /// Values are words; each is indexed.
  record Words(String name, String id, boolean isUnique) implements SpaceIndex {
    static Words of(String name) {
      return new Words(name, name + "/1", false);
    }

    static Words unique(String name) {
      return new Words(name, name + "/1", true);
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      for (String word : text(value).split(" ", -1)) {
        if (!word.isEmpty()) {
          prefixes.accept(bytes(word + ";"));
        }
      }
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return text(indexEntry).indexOf(';') + 1;
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  static IndexedSpace keep(Store store, Words... indexes) {
    IndexedSpace indexed = store.indexed(store.space("texts"));
    indexed.keep(List.of(indexes), ProgressListener.none());
    return indexed;
  }

  static List<String> keys(IndexedSpace indexed, ReadView view, String index, String word) {
    List<String> keys = new ArrayList<>();
    Space entries = indexed.entries(index);
    try (Cursor cursor = view.cursor(entries, Range.prefix(bytes(word + ";")))) {
      while (cursor.next()) {
        keys.add(text(indexed.key(index, cursor)));
      }
    }
    return keys;
  }

  static List<String> keys(IndexedSpace indexed, String index, String word) {
    try (Snapshot snapshot = indexed.space().store().snapshot()) {
      return keys(indexed, snapshot, index, word);
    }
  }

  static void requireSound(IndexedSpace indexed) {
    for (IndexStatus index : indexed.list()) {
      assertThat(indexed.verify(index.name())).as(index.name()).isEmpty();
    }
    indexed.space().store().verify().requireSound();
  }

  /// An index that looks at each value before it gives the prefixes.
  record Watched(Words words, Consumer<byte[]> watch) implements SpaceIndex {
    @Override
    public String name() {
      return words.name();
    }

    @Override
    public String id() {
      return words.id();
    }

    @Override
    public boolean isUnique() {
      return words.isUnique();
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      watch.accept(value);
      words.prefixes(key, value, prefixes);
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return words.prefixBytes(indexEntry);
    }
  }

  interface Work {
    void run(int thread) throws InterruptedException;
  }

  static void inParallel(int threads, Work work) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      running.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  start.await();
                  work.run(thread);
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    start.countDown();
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
