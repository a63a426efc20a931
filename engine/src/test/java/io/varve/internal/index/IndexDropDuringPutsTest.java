package io.varve.internal.index;

import static io.varve.internal.index.IndexedTexts.bytes;
import static io.varve.internal.index.IndexedTexts.keep;
import static io.varve.internal.index.IndexedTexts.requireSound;

import io.varve.IndexedSpace;
import io.varve.Space;
import io.varve.Store;
import io.varve.internal.index.IndexedTexts.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A put read the set of indexes while another thread dropped one, or made it: the set had the
/// index, and the store did not have the space of its entries. The put was refused then.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexDropDuringPutsTest {
  private static final int DROPS = 1_000;
  private static final int WRITERS = 3;

  @Test
  void putsContinueWhileAnIndexComesAndGoes() throws Exception {
    try (Store store = Store.inMemory();
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<?>> puts = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String key = "key" + writer;
        puts.add(writers.submit(() -> put(indexed.space(), key, isOver)));
      }
      try {
        for (int i = 0; i < DROPS; i++) {
          indexed.drop("words");
          IndexedSpace _ = keep(store, Words.of("words"));
        }
      } finally {
        isOver.set(true);
      }
      for (Future<?> done : puts) {
        var _ = done.get(); // throws what a put threw
      }
      requireSound(indexed);
    }
  }

  private static void put(Space space, String key, AtomicBoolean isOver) {
    for (long i = 0; !isOver.get(); i++) {
      var _ = space.put(bytes(key), bytes("a" + i % 7 + " b" + i % 3));
    }
  }
}
