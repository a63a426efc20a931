package io.varve.internal.index;

import static io.varve.internal.index.IndexedTexts.bytes;
import static io.varve.internal.index.IndexedTexts.keep;
import static io.varve.internal.index.IndexedTexts.keys;
import static io.varve.internal.index.IndexedTexts.requireSound;
import static io.varve.internal.index.IndexedTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.internal.index.IndexedTexts.Watched;
import io.varve.internal.index.IndexedTexts.Words;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A change that the definition of an index refuses has no effect, on no index.
class RefusedIndexEntryTest {
  @Test
  void whatADefinitionThrowsRefusesTheChange() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      byte[] longWord = new byte[Space.KEY_BYTES_MAX];
      java.util.Arrays.fill(longWord, (byte) 'a');
      assertThatThrownBy(() -> indexed.space().put(bytes("1"), longWord))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("index entry too long");
      assertThat(indexed.space().count(Range.all())).isZero();
      requireSound(indexed);
    }
  }

  private static Watched refusing(String name, AtomicBoolean refuses) {
    return new Watched(
        Words.of(name),
        value -> {
          if (refuses.get() && text(value).contains("odd")) {
            throw new IllegalArgumentException("refused");
          }
        });
  }

  /// A program whose classes changed has such entries. Its nightly verification ended by the
  /// exception of its own definition, and reported nothing of the other indexes.
  @Test
  void anEntryThatADefinitionRefusesIsAProblemOfTheVerification() {
    try (Store store = Store.inMemory()) {
      AtomicBoolean refuses = new AtomicBoolean();
      IndexedSpace indexed = store.indexed(store.space("texts"));
      indexed.keep(
          List.of(refusing("a", refuses), refusing("b", refuses)), ProgressListener.none());
      indexed.space().put(bytes("1"), bytes("odd"));
      refuses.set(true);
      assertThat(store.verify().problems())
          .hasSize(2)
          .allMatch(problem -> problem.startsWith("the definition of the index refused an entry"))
          .allMatch(problem -> problem.contains("cause=java.lang.IllegalArgumentException"))
          .anyMatch(problem -> problem.contains("index=a,"))
          .anyMatch(problem -> problem.contains("index=b,"));
      assertThatThrownBy(() -> indexed.verify("a")).hasMessage("refused");
      refuses.set(false);
      requireSound(indexed);
    }
  }

  @Test
  void whatADefinitionRefusesInATransactionChangesNoOtherIndex() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("a"));
      Space space = indexed.space();
      indexed.keep(List.of(refusing("b", new AtomicBoolean(true))), ProgressListener.none());
      store.transact(tx -> {
        assertThatThrownBy(() -> tx.put(space, bytes("1"), bytes("odd"))).hasMessage("refused");
        tx.put(space, bytes("2"), bytes("even"));
      });
      assertThat(keys(indexed, "a", "odd")).isEmpty();
      assertThat(keys(indexed, "a", "even")).containsExactly("2");
      requireSound(indexed);
    }
  }

  @Test
  void aTransactionWhoseRangeOfDeletesBrokeOffIsNotCommitted() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("a"));
      Space space = indexed.space();
      AtomicBoolean refuses = new AtomicBoolean();
      indexed.keep(List.of(refusing("b", refuses)), ProgressListener.none());
      space.put(bytes("1"), bytes("even"));
      space.put(bytes("2"), bytes("odd"));
      refuses.set(true);
      try (Transaction tx = store.begin()) {
        assertThatThrownBy(() -> tx.deleteRange(space, Range.all())).hasMessage("refused");
        assertThatThrownBy(tx::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("broke off");
      }
      refuses.set(false);
      assertThat(keys(indexed, "a", "even")).containsExactly("1");
      requireSound(indexed);
    }
  }

  /// No change after it makes the indexes agree again.
  @Test
  void aChangeThatBrokeOffIsNotCommittedWithTheNextOnes() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      AtomicBoolean refuses = new AtomicBoolean();
      IndexedSpace indexed = store.indexed(space);
      indexed.keep(List.of(refusing("a", refuses)), ProgressListener.none());
      space.put(bytes("1"), bytes("even"));
      space.put(bytes("2"), bytes("odd"));
      refuses.set(true);
      List<Consumer<Transaction>> next =
          List.of(
              tx -> tx.put(space, bytes("3"), bytes("three")),
              tx -> tx.delete(space, bytes("1")),
              tx -> tx.deleteRange(space, Range.exactly(bytes("9"))));
      for (Consumer<Transaction> change : next) {
        assertThatThrownBy(() ->
                store.transact(tx -> {
                  assertThatThrownBy(() -> tx.deleteRange(space, Range.all()))
                      .hasMessage("refused");
                  change.accept(tx);
                }))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("broke off");
      }
      refuses.set(false);
      assertThat(keys(indexed, "a", "even")).containsExactly("1");
      assertThat(keys(indexed, "a", "three")).isEmpty();
      requireSound(indexed);
    }
  }
}
