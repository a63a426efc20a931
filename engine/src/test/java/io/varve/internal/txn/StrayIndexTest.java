package io.varve.internal.txn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.spi.SpaceIndex;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Entries of an index that its space does not have.
class StrayIndexTest {
  /// Values as they are.
  private record Whole(String name) implements SpaceIndex {
    @Override
    public String id() {
      return "whole/1";
    }

    @Override
    public boolean isUnique() {
      return true;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      prefixes.accept(value);
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return indexEntry.length;
    }
  }

  @Test
  void aVerificationFindsAnIndexThatNoSpaceHas() {
    try (Store store = Store.inMemory()) {
      IndexedSpace indexed = store.indexed(store.space("texts"));
      indexed.keep(List.of(new Whole("whole")), ProgressListener.none());
      indexed.space().put("1".getBytes(UTF_8), "red".getBytes(UTF_8));
      assertThat(store.verify().isSound()).isTrue();
      ((LiveSpace) indexed.space()).core().indexes().removed("whole");
      assertThat(store.verify().problems())
          .singleElement()
          .asString()
          .contains("no space has the index")
          .contains("index=whole");
    }
  }

  /// An open of a store with such a name, in a catalog or in the log, ended with an
  /// IndexOutOfBoundsException.
  @Test
  void anIndexWhoseNameIsDamagedIsOfNoSpace() {
    assertThat(IndexNames.indexedSpace(IndexNames.name(7, "a:b"))).isEqualTo(7);
    for (String name : List.of("\u0000index:", "\u0000index:7", "\u0000index:x:whole")) {
      assertThat(IndexNames.isIndex(name)).isTrue();
      assertThat(IndexNames.indexedSpace(name)).isZero();
      assertThat(IndexNames.index(name)).isNotNull();
    }
  }
}
