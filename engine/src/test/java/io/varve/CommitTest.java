package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitTest {
  private static final byte[] KEY = {1};

  /// The order is one over all spaces, and over all that commits.
  @Test
  void commitsCompareAsTheyWereApplied() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      ItemSpace items = store.items("i");
      Commit put = space.put(KEY, KEY);
      Commit transaction = store.transact(tx -> tx.put(store.space("other"), KEY, KEY));
      items.insert(Item.of(1L));
      Commit ofItems = items.commit();
      Commit delete = space.async().delete(KEY).toCompletableFuture().join();

      List<Commit> commits = List.of(put, transaction, ofItems, delete);
      assertThat(commits).isSorted().doesNotHaveDuplicates();
      assertThat(put.isBefore(delete)).isTrue();
      assertThat(delete.isAfter(put)).isTrue();
      assertThat(put.isBefore(put) || put.isAfter(put)).isFalse();
      assertThat(store.lastCommit()).isEqualTo(delete);
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(snapshot.lastCommit()).isEqualTo(delete);
      }
    }
  }

  @Test
  void itsNumberIsAllThereIsToKeep() {
    try (Store store = Store.inMemory()) {
      Commit commit = store.space("s").put(KEY, KEY);

      Commit readBack = new Commit(Long.parseLong(Long.toString(commit.lsn())));

      assertThat(readBack).isEqualTo(commit).hasSameHashCodeAs(commit);
      store.awaitDurable(readBack);
      assertThat(store.whenDurable(readBack)).isCompletedWithValue(commit);
    }
  }

  @Test
  void aNumberThatIsNoPlaceInALogIsRefused() {
    assertThatThrownBy(() -> new Commit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lsn=-1");
  }
}
