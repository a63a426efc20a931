package io.varve.internal.index;

import static io.varve.internal.index.IndexedTexts.bytes;
import static io.varve.internal.index.IndexedTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.index.IndexedTexts.Watched;
import io.varve.internal.index.IndexedTexts.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A second thread reads the entries of a space for a build, and does nothing else of it.
@Timeout(30)
class EntriesAheadTest {
  private static final int ENTRIES = 300;

  private static Space filled(Store store) {
    Space space = store.space("texts");
    for (int i = 0; i < ENTRIES; i++) {
      space.put(bytes("%04d".formatted(i)), bytes("word" + i));
    }
    return space;
  }

  private static EntriesAhead read(Snapshot snapshot, Space space, long bytesTogether) {
    return new EntriesAhead(
        StoreThreads.PLATFORM, snapshot.cursor(space, Range.all()), bytesTogether);
  }

  private static List<String> readAll(EntriesAhead entries) {
    List<String> found = new ArrayList<>();
    while (entries.next()) {
      found.add(text(entries.key()) + text(entries.value()));
    }
    return found;
  }

  @Test
  void entriesComeInTheOrderOfTheCursor() {
    try (Store store = Store.inMemory()) {
      Space space = filled(store);
      for (long bytesTogether : new long[] {0, 1, 100, 1 << 20}) {
        try (Snapshot snapshot = store.snapshot();
            EntriesAhead entries = read(snapshot, space, bytesTogether)) {
          List<String> found = readAll(entries);
          assertThat(found).hasSize(ENTRIES).isSorted();
          assertThat(found.getLast()).isEqualTo("0299word299");
        }
      }
    }
  }

  /// Two of them may take more than the heap has.
  @Test
  void whileALongEntryIsUsedNoneIsRead() {
    AtomicInteger begun = new AtomicInteger();
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      for (String key : List.of("a", "b", "c")) {
        space.put(bytes(key), new byte[1000]);
      }
      try (Snapshot snapshot = store.snapshot();
          EntriesAhead entries =
              new EntriesAhead(counted(begun), snapshot.cursor(space, Range.all()), 100)) {
        for (String key : List.of("a", "b", "c")) {
          assertThat(entries.next()).isTrue();
          assertThat(text(entries.key())).isEqualTo(key);
          assertThat(entries.value()).hasSize(1000);
        }
        assertThat(entries.next()).isFalse();
      }
    }
    assertThat(begun).hasValue(0);
  }

  private static StoreThreads counted(AtomicInteger begun) {
    return new StoreThreads() {
      @Override
      public Thread newThread(String name, Runnable work) {
        begun.incrementAndGet();
        return PLATFORM.newThread(name, work);
      }

      @Override
      public boolean callerMayServe() {
        return PLATFORM.callerMayServe();
      }
    };
  }

  @Test
  void whatReadingThrowsIsThrown() {
    try (Store store = Store.inMemory()) {
      Space space = filled(store);
      Snapshot snapshot = store.snapshot();
      try (EntriesAhead entries = read(snapshot, space, 1)) {
        assertThat(entries.next()).isTrue();
        snapshot.close();
        assertThatThrownBy(() -> readAll(entries)).isInstanceOf(StoreClosedException.class);
      }
    }
  }

  /// A program may open its table in a class initializer: another thread that calls functions of
  /// that class waits for its end, which waits for the build.
  @Test
  void definitionsAreAskedOnTheCallingThreadAlone() {
    Set<Thread> asked = ConcurrentHashMap.newKeySet();
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = store.indexed(filled(store));
      Watched watched = new Watched(Words.of("words"), _ -> asked.add(Thread.currentThread()));
      indexed.keep(List.of(watched), ProgressListener.none());
      assertThat(asked).containsOnly(Thread.currentThread());
      assertThat(indexed.verify("words")).isEmpty();
    }
  }
}
