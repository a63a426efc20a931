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
import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.internal.index.IndexedTexts.Words;
import io.varve.internal.txn.LiveSpace;
import io.varve.spi.NonBlockingSpace;
import io.varve.spi.SpaceIndex;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Indexes of a space: kept by each commit, whatever changes the space, and never seen apart from
/// it.
class IndexedSpaceTest {
  @TempDir private Path directory;

  @Test
  void eachKindOfChangeBringsItsIndexEntriesWithIt() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      Space space = indexed.space();
      space.put(bytes("1"), bytes("red apple"));
      assertThat(keys(indexed, "words", "red")).containsExactly("1");
      space.put(bytes("2"), new ByteArrayInputStream(bytes("red pear")), 8);
      assertThat(space.putIfAbsent(bytes("3"), bytes("green pear"))).isNull();
      assertThat(space.compareAndSet(bytes("1"), bytes("red apple"), bytes("green apple")))
          .isTrue();
      assertThat(space.compareAndSet(bytes("1"), bytes("red apple"), bytes("blue"))).isFalse();
      space.merge(bytes("2"), bytes("sour"), (a, b) -> bytes(text(a) + " " + text(b)));
      space.async().put(bytes("4"), bytes("green leaf")).toCompletableFuture().join();
      assertThat(((NonBlockingSpace) space).tryPut(bytes("5"), bytes("red"))).isNull();
      assertThat(space.getAndPut(bytes("4"), bytes("green grass"))).isEqualTo(bytes("green leaf"));
      assertThat(keys(indexed, "words", "green")).containsExactly("1", "3", "4");
      assertThat(keys(indexed, "words", "red")).containsExactly("2");
      assertThat(keys(indexed, "words", "sour")).containsExactly("2");
      space.delete(bytes("1"));
      assertThat(space.getAndDelete(bytes("4"))).isEqualTo(bytes("green grass"));
      assertThat(keys(indexed, "words", "green")).containsExactly("3");
      requireSound(indexed);
      assertThat(space.deleteRange(Range.atLeast(bytes("3")))).isEqualTo(1);
      assertThat(keys(indexed, "words", "pear")).containsExactly("2");
      assertThat(space.clear()).isEqualTo(1);
      assertThat(indexed.list().getFirst().entries()).isZero();
      requireSound(indexed);
    }
  }

  @Test
  void aChangeThatAltersNoIndexedValueWritesTheSpaceAlone() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      indexed.space().put(bytes("1"), bytes("red apple"));
      Space entries = indexed.entries("words");
      long bytes = entries.statistics().bytes();
      Commit before = store.lastCommit();
      indexed.space().put(bytes("1"), bytes("apple red"));
      assertThat(store.lastCommit()).isGreaterThan(before);
      assertThat(entries.statistics().bytes()).isEqualTo(bytes);
      requireSound(indexed);
    }
  }

  @Test
  void aTransactionSeesItsOwnIndexEntries() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      Space space = indexed.space();
      space.put(bytes("1"), bytes("red"));
      store.transact(tx -> {
        tx.put(space, bytes("2"), bytes("red"));
        tx.put(space, bytes("1"), bytes("blue"));
        tx.put(space, bytes("3"), bytes("blue"));
        tx.put(space, bytes("3"), bytes("green"));
        tx.delete(space, bytes("4"));
        assertThat(keys(indexed, tx, "words", "red")).containsExactly("2");
        assertThat(keys(indexed, tx, "words", "blue")).containsExactly("1");
        assertThat(tx.count(indexed.entries("words"), Range.all())).isEqualTo(3);
        assertThat(keys(indexed, "words", "red")).containsExactly("1");
      });
      assertThat(keys(indexed, "words", "green")).containsExactly("3");
      requireSound(indexed);
    }
  }

  @Test
  void aRangeOfAnIndexThatATransactionReadsCountsForConflicts() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      Space space = indexed.space();
      try (Transaction tx = store.begin()) {
        assertThat(keys(indexed, tx, "words", "red")).isEmpty();
        tx.put(space, bytes("none"), bytes("nothing"));
        space.put(bytes("1"), bytes("red"));
        assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      }
      requireSound(indexed);
    }
  }

  @Test
  void anIndexIsBuiltDuringWrites() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      for (int i = 0; i < 20_000; i++) {
        space.put(bytes("k" + i), bytes("w" + i % 7));
      }
      AtomicBoolean built = new AtomicBoolean();
      inParallel(
          4,
          thread -> {
            if (thread < 2) {
              keep(store, Words.of("words"));
              built.set(true);
            } else {
              SplittableRandom random = new SplittableRandom(thread);
              while (!built.get()) {
                space.put(bytes("k" + random.nextInt(20_000)), bytes("w" + random.nextInt(7)));
              }
            }
          });
      IndexedSpace indexed = store.indexed(space);
      assertThat(indexed.list())
          .singleElement()
          .satisfies(index -> assertThat(index.isBuilt() && index.isKept()).isTrue());
      assertThat(store.snapshot().count(indexed.entries("words"), Range.all())).isEqualTo(20_000);
      requireSound(indexed);
    }
  }

  @Test
  void aStoreThatIsOpenedAgainRefusesChangesUntilItsIndexesAreKept() {
    try (Store store = Store.open(directory)) {
      keep(store, Words.of("words")).space().put(bytes("1"), bytes("red"));
    }
    try (Store store = Store.open(directory)) {
      Space space = store.space("texts");
      assertThat(store.spaceNames()).containsExactly("texts");
      assertThat(space.get(bytes("1"))).isEqualTo(bytes("red"));
      assertThatThrownBy(() -> space.put(bytes("2"), bytes("blue")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("texts")
          .hasMessageContaining("words");
      assertThatThrownBy(() -> store.transact(tx -> tx.delete(space, bytes("1"))))
          .isInstanceOf(IllegalStateException.class);
      IndexedSpace indexed = keep(store, Words.of("words"));
      space.put(bytes("2"), bytes("red"));
      assertThat(keys(indexed, "words", "red")).containsExactly("1", "2");
      requireSound(indexed);
    }
  }

  /// Guards against an index that commits no longer kept after an open: the checkpoint named its
  /// space before the one that it indexes, which had the smaller number all the same. A checkpoint
  /// names spaces in no order.
  @Test
  void anIndexIsKeptAfterAnOpenInWhateverOrderTheCheckpointNamesSpaces() {
    try (Store store = Store.open(directory)) {
      for (int i = 0; i < 5; i++) {
        store.space("made-before-" + i);
      }
      Space space = keep(store, Words.of("words")).space();
      space.put(bytes("1"), bytes("red"));
    }
    // Each new index has the next number: one of them comes first, wherever the others are.
    for (int i = 2; i < 40; i++) {
      try (Store store = Store.open(directory)) {
        Space space = store.space("texts");
        assertThatThrownBy(() -> space.put(bytes("0"), bytes("red")))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("words");
        IndexedSpace indexed = keep(store, Words.of("words"));
        space.put(bytes(Integer.toString(i)), bytes("red"));
        assertThat(keys(indexed, "words", "red")).hasSize(i);
        requireSound(indexed);
        indexed.drop("words");
        keep(store, Words.of("words"));
      }
    }
  }

  @Test
  void anIndexOfAnotherDefinitionIsBuiltAgain() {
    try (Store store = Store.open(directory)) {
      keep(store, Words.of("words")).space().put(bytes("1"), bytes("red red2"));
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, new Words("words", "another", false));
      assertThat(keys(indexed, "words", "red2")).containsExactly("1");
      requireSound(indexed);
      IndexedSpace unique = keep(store, new Words("words", "another", true));
      assertThat(unique.list().getFirst().isUnique()).isTrue();
      requireSound(unique);
    }
  }

  @Test
  void twoIndexesOfOneNameAreRefused() {
    try (Store store = Store.inMemory()) {
      assertThatThrownBy(() -> keep(store, Words.of("words"), new Words("words", "other", false)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two indexes of one name");
      assertThat(store.indexed(store.space("texts")).list()).isEmpty();
    }
  }

  @Test
  void aBuildThatBreaksOffContinuesWhereItWas() {
    int[] calls = new int[1];
    SpaceIndex failing =
        new SpaceIndex() {
          @Override
          public String name() {
            return "words";
          }

          @Override
          public String id() {
            return "words/1";
          }

          @Override
          public boolean isUnique() {
            return false;
          }

          @Override
          public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
            if (++calls[0] == 3000) {
              throw new IllegalArgumentException("broken");
            }
            Words.of("words").prefixes(key, value, prefixes);
          }

          @Override
          public int prefixBytes(byte[] indexEntry) {
            return Words.of("words").prefixBytes(indexEntry);
          }
        };
    StoreOptions options = StoreOptions.defaults().cacheBytes(1 << 20); // so that runs are short
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("texts").with(Durability.BACKGROUND);
      for (int i = 0; i < 5000; i++) {
        space.put(bytes("k" + i), bytes("w" + i));
      }
      IndexedSpace indexed = store.indexed(space);
      assertThatThrownBy(() -> indexed.keep(List.of(failing), ProgressListener.none()))
          .hasMessage("broken");
      assertThat(indexed.list().getFirst().isBuilt()).isFalse();
      assertThat(indexed.isComplete("words", store.snapshot())).isFalse();
    }
    calls[0] = 10_000;
    try (Store store = Store.open(directory, options)) {
      IndexedSpace indexed = store.indexed(store.space("texts"));
      Snapshot before = store.snapshot();
      indexed.keep(List.of(failing), ProgressListener.none());
      assertThat(calls[0]).isLessThan(15_000);
      assertThat(indexed.isComplete("words", before)).isFalse();
      before.close();
      try (Snapshot after = store.snapshot()) {
        assertThat(indexed.isComplete("words", after)).isTrue();
      }
      requireSound(indexed);
    }
  }

  @Test
  void indexesAreRenamedAndDropped() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"), Words.of("others"));
      Space space = indexed.space();
      space.put(bytes("1"), bytes("red"));
      assertThat(indexed.rename("others", "more")).isTrue();
      assertThat(indexed.rename("others", "less")).isFalse();
      assertThatThrownBy(() -> indexed.rename("more", "words"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(indexed.drop("words")).isTrue();
      assertThat(indexed.drop("words")).isFalse();
      assertThatThrownBy(() -> indexed.entries("words"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("more");
      store.renameSpace("texts", "words");
      space.put(bytes("2"), bytes("red"));
      assertThat(keys(indexed, "more", "red")).containsExactly("1", "2");
      requireSound(indexed);
      store.dropSpace("words");
      assertThat(store.indexed(store.space("words")).list()).isEmpty();
    }
  }

  @Test
  void anIndexIsReadAndVerifiedByItsDefinitionAfterARename() {
    Words words = Words.of("words");
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, words);
      indexed.space().put(bytes("1"), bytes("red"));
      assertThat(indexed.rename("words", "colors")).isTrue();
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(indexed.entries(words, snapshot)).isSameAs(indexed.entries("colors"));
        assertThat(indexed.entries(Words.unique("words"), snapshot)).isNull();
      }
      requireSound(keep(store, words));
      assertThat(indexed.list()).extracting(IndexStatus::name).containsExactly("colors");
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, words, Words.of("others"));
      indexed.space().put(bytes("2"), bytes("red"));
      assertThat(indexed.list()).extracting(IndexStatus::name).containsExactly("colors", "others");
      assertThat(keys(indexed, "colors", "red")).containsExactly("1", "2");
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(indexed.entries(words, snapshot)).isSameAs(indexed.entries("colors"));
      }
      requireSound(indexed);
    }
  }

  @Test
  void theEntriesOfAnIndexAreReadAlone() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      Space entries = indexed.entries("words");
      assertThatThrownBy(() -> entries.put(bytes("a"), bytes("b")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.transact(tx -> tx.put(entries, bytes("a"), bytes("b"))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(store.findSpace(entries.name())).isNull();
      assertThatThrownBy(() -> store.space(entries.name()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(store.dropSpace(entries.name())).isFalse();
    }
  }

  @Test
  void aSnapshotSeesAnIndexAsItSeesTheSpace() {
    try (Store store = Store.open(directory, StoreOptions.defaults())) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      indexed.space().put(bytes("1"), bytes("red"));
      try (Snapshot snapshot = store.snapshot()) {
        indexed.space().put(bytes("1"), bytes("blue"));
        assertThat(keys(indexed, snapshot, "words", "red")).containsExactly("1");
        assertThat(keys(indexed, snapshot, "words", "blue")).isEmpty();
      }
    }
  }

  @Test
  void anIndexThatIsRenamedDuringItsBuildIsBuiltWhole() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("texts");
      for (int i = 1000; i < 3000; i++) {
        space.put(bytes("" + i), bytes("w" + i));
      }
      IndexedSpace indexed = store.indexed(space);
      AtomicBoolean renamed = new AtomicBoolean();
      indexed.keep(
          List.of(Words.of("words")),
          (_, _) -> {
            if (!renamed.getAndSet(true)) {
              indexed.rename("words", "others");
              // As another keep of the new name does, before it waits for this build.
              ((LiveSpace) space)
                  .core()
                  .indexes()
                  .define("others", new Words("others", "words/1", false));
            }
          });
      requireSound(indexed);
    }
  }

  @Test
  void aNameOfADroppedIndexGivesNoDefinitionToTheNextThatHasIt() {
    try (Store store = Store.open(directory)) {
      keep(store, Words.of("a"), Words.of("b"));
    }
    try (Store store = Store.open(directory)) {
      IndexedSpace indexed = keep(store, Words.of("b"));
      assertThat(indexed.drop("b")).isTrue();
      assertThat(indexed.rename("a", "b")).isTrue();
      assertThat(indexed.list().getFirst().isKept()).isFalse();
      assertThatThrownBy(() -> indexed.space().put(bytes("1"), bytes("red")))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /// What it wrote has no entries in the index, though the index has all rows of its read point.
  @Test
  void aTransactionThatWroteBeforeAnIndexWasMadeDoesNotReadIt() {
    try (Store store = Store.inMemory();
        Transaction tx = store.begin()) {
      Space space = store.space("texts");
      tx.put(space, bytes("1"), bytes("red"));
      Words words = Words.of("words");
      IndexedSpace indexed = keep(store, words);
      assertThat(indexed.entries(words, tx)).isNull();
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(indexed.entries(words, snapshot)).isSameAs(indexed.entries("words"));
        assertThat(indexed.entries(new Words("words", "another", false), snapshot)).isNull();
        assertThat(indexed.entries(Words.unique("words"), snapshot)).isNull();
        assertThat(indexed.entries(Words.of("others"), snapshot)).isNull();
      }
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
  }

  @Test
  void theSpaceOfIndexEntriesKeepsItsName() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = keep(store, Words.of("words"));
      assertThat(store.renameSpace(indexed.entries("words").name(), "mine")).isFalse();
      assertThat(store.findSpace("mine")).isNull();
      assertThat(indexed.list()).hasSize(1);
    }
  }
}
