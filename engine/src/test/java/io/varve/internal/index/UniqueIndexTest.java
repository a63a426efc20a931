package io.varve.internal.index;

import static io.varve.internal.index.IndexedTexts.bytes;
import static io.varve.internal.index.IndexedTexts.inParallel;
import static io.varve.internal.index.IndexedTexts.keep;
import static io.varve.internal.index.IndexedTexts.keys;
import static io.varve.internal.index.IndexedTexts.requireSound;
import static io.varve.internal.index.IndexedTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.UniqueIndexException;
import io.varve.internal.index.IndexedTexts.Watched;
import io.varve.internal.index.IndexedTexts.Words;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A unique index refuses a second key of a value before any effect, whatever call would put it.
class UniqueIndexTest {
  @Test
  void aUniqueIndexRefusesBeforeAnyEffectAndNamesBothKeys() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.unique("words"), Words.of("others"));
      Space space = indexed.space();
      space.put(bytes("1"), bytes("red"));
      Commit before = store.lastCommit();
      assertThatThrownBy(() -> space.put(bytes("2"), bytes("new red")))
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              e -> {
                assertThat(e.index()).isEqualTo("words");
                assertThat(text(e.key())).isEqualTo("2");
                assertThat(text(e.presentKey())).isEqualTo("1");
              });
      assertThat(store.lastCommit()).isEqualTo(before);
      assertThat(space.contains(bytes("2"))).isFalse();
      space.put(bytes("1"), bytes("red and blue"));
      assertThatThrownBy(() -> store.transact(tx -> tx.put(space, bytes("3"), bytes("blue"))))
          .isInstanceOf(UniqueIndexException.class);
      assertThat(keys(indexed, "words", "blue")).containsExactly("1");
      requireSound(indexed);
    }
  }

  @Test
  void aTransactionMayExchangeUniqueValues() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.unique("words"));
      Space space = indexed.space();
      space.put(bytes("1"), bytes("red"));
      space.put(bytes("2"), bytes("blue"));
      store.transact(tx -> {
        tx.put(space, bytes("1"), bytes("blue"));
        tx.put(space, bytes("2"), bytes("red"));
      });
      assertThat(keys(indexed, "words", "red")).containsExactly("2");
      assertThat(keys(indexed, "words", "blue")).containsExactly("1");
      requireSound(indexed);
    }
  }

  @Test
  void manyWritersKeepAUniqueIndexUnique() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.unique("words"), Words.of("all"));
      Space space = indexed.space();
      inParallel(
          8,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 300; i++) {
              byte[] key = bytes("k" + random.nextInt(20));
              byte[] value = bytes("w" + random.nextInt(30));
              try {
                switch (random.nextInt(4)) {
                  case 0 -> space.delete(key);
                  case 1 -> store.transact(tx -> tx.put(space, key, value));
                  default -> space.put(key, value);
                }
              } catch (UniqueIndexException _) {
                // Another key has the word.
              }
            }
          });
      requireSound(indexed);
      assertThat(store.snapshot().count(indexed.entries("words"), Range.all()))
          .isEqualTo(space.count(Range.all()));
    }
  }

  @Test
  void aUniqueIndexOfEqualValuesIsNotMade() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      space.put(bytes("1"), bytes("red"));
      space.put(bytes("2"), bytes("red"));
      assertThatThrownBy(() -> keep(store, Words.unique("words")))
          .isInstanceOf(UniqueIndexException.class);
      assertThat(store.indexed(space).list()).isEmpty();
      space.put(bytes("3"), bytes("red"));
      assertThat(space.count(Range.all())).isEqualTo(3);
    }
  }

  @Test
  void aRefusedValueNamesTheIndexAsTheStoreDoes() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.unique("words"));
      indexed.space().put(bytes("1"), bytes("red"));
      indexed.rename("words", "colors");
      assertThatThrownBy(() -> indexed.space().put(bytes("2"), bytes("red")))
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              refused -> assertThat(refused.index()).isEqualTo("colors"));
      assertThatThrownBy(
              () -> store.transact(tx -> tx.put(indexed.space(), bytes("2"), bytes("red"))))
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              refused -> assertThat(refused.index()).isEqualTo("colors"));
    }
  }

  @Test
  void anEntryThatIsDeletedDuringABuildLeavesItsUniqueValueToAnother() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      for (int i = 1000; i < 3000; i++) {
        space.put(bytes("" + i), bytes(i == 1000 || i == 2999 ? "same" : "w" + i));
      }
      IndexedSpace indexed = store.indexed(space);
      AtomicBoolean deleted = new AtomicBoolean();
      indexed.keep(
          List.of(Words.unique("words")),
          (_, _) -> {
            if (!deleted.getAndSet(true)) {
              space.delete(bytes("2999"));
            }
          });
      assertThat(keys(indexed, "words", "same")).containsExactly("1000");
      requireSound(indexed);
    }
  }

  @Test
  void twoPutsOfOneEntryAtATimeDoNotViolateAUniqueIndex() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      AtomicBoolean puts = new AtomicBoolean(true);
      Watched index =
          new Watched(
              Words.unique("words"),
              _ -> {
                if (puts.getAndSet(false)) {
                  joined(() -> space.put(bytes("1"), bytes("red")));
                }
              });
      IndexedSpace indexed = store.indexed(space);
      indexed.keep(List.of(index), ProgressListener.none());
      space.put(bytes("1"), bytes("red"));
      assertThat(keys(indexed, "words", "red")).containsExactly("1");
      requireSound(indexed);
    }
  }

  private static void joined(Runnable work) {
    try {
      Thread thread = Thread.ofPlatform().start(work);
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
