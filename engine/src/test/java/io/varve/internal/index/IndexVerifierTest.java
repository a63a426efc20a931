package io.varve.internal.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Verification;
import io.varve.spi.SpaceIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A verification of a store compares its indexes with their spaces. Here they disagree, because
/// the function of the index is another one by then, though its id is the same.
class IndexVerifierTest {
  @TempDir private Path directory;

  /// The letter that is before the value in a prefix of the key.
  private final AtomicReference<String> letterOfTwo = new AtomicReference<>("a");

  /// What else happens while prefixes are asked for.
  private final AtomicReference<Runnable> concurrently = new AtomicReference<>(() -> {});

  private final class Values implements SpaceIndex {
    @Override
    public String name() {
      return "values";
    }

    @Override
    public String id() {
      return "values 1";
    }

    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      concurrently.get().run();
      String letter = key[0] == '2' ? letterOfTwo.get() : "a";
      prefixes.accept((letter + new String(value, UTF_8) + ";").getBytes(UTF_8));
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return new String(indexEntry, UTF_8).indexOf(';') + 1;
    }
  }

  private void fill(Store store) {
    Space space = store.space("words");
    IndexedSpace indexed = store.indexed(space);
    indexed.keep(List.of(new Values()), ProgressListener.none());
    for (String key : List.of("0", "1", "2", "3")) {
      space.put(key.getBytes(UTF_8), "word".getBytes(UTF_8));
    }
  }

  private void requireFound(Verification verification) {
    assertThat(verification.isSound()).isFalse();
    assertThat(verification.problems())
        .containsExactly(
            "an entry of the space is missing in the index: space=words, index=values, entry=2,"
                + " keyBytes=1, prefixBytes=6",
            "the index has an entry that the space does not give it: space=words, index=values,"
                + " entry=2, keyBytes=1, prefixBytes=6");
  }

  @Test
  void aStoreIsVerifiedWithItsIndexes() {
    try (Store store = Store.open(directory)) {
      fill(store);
      assertThat(store.verify().problems()).isEmpty();
      letterOfTwo.set("b");
      requireFound(store.verify());
      try (Snapshot snapshot = store.snapshot()) {
        requireFound(store.verify(snapshot, ProgressListener.none()));
      }
      letterOfTwo.set("a");
      assertThat(store.verify().problems()).isEmpty();
    }
    letterOfTwo.set("b");
    try (Store store = Store.open(directory)) {
      assertThat(store.verify().isSound()).as("no definition is known").isTrue();
    }
  }

  @Test
  void aStoreInMemoryIsVerifiedWithItsIndexes() {
    try (Store store = Store.inMemory()) {
      fill(store);
      letterOfTwo.set("b");
      requireFound(store.verify());
      letterOfTwo.set("a");
      store.indexed(store.space("words")).drop("values");
      letterOfTwo.set("b");
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  /// The entries that a build had not added yet were reported as missing, as of a damaged store.
  @Test
  void anIndexWhoseBuildWasBrokenOffIsNamedAsNotBuilt() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("words");
      space.put("1".getBytes(UTF_8), "word".getBytes(UTF_8));
      IndexedSpace indexed = store.indexed(space);
      concurrently.set(() -> {
        throw new IllegalArgumentException("broken off");
      });
      assertThatThrownBy(() -> indexed.keep(List.of(new Values()), ProgressListener.none()))
          .hasMessage("broken off");
      concurrently.set(() -> {});
      assertThatThrownBy(() -> indexed.verify("values"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "the index is not built: space=words, index=values; IndexedSpace.keep builds it");
      assertThat(store.verify().isSound()).isTrue();
      indexed.keep(List.of(new Values()), ProgressListener.none());
      assertThat(indexed.verify("values")).isEmpty();
    }
  }

  @Test
  void anIndexThatIsDroppedWhileItIsVerifiedIsNamed() {
    try (Store store = Store.inMemory()) {
      fill(store);
      IndexedSpace indexed = store.indexed(store.space("words"));
      concurrently.set(() -> indexed.drop("values"));
      assertThatThrownBy(() -> indexed.verify("values"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the index was dropped while it was verified: space=words, index=values");
    }
  }
}
