package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class TransactTest {
  private static final byte[] KEY = {1};

  /// It compiles: javac infers what the work throws. Nothing of the work has taken effect.
  @Test
  void aCheckedExceptionReachesTheCallerAndEndsTheTransaction() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      IOException thrown = new IOException("planted");

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> workThatThrows(store, space, thrown))
          .isSameAs(thrown);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> bodyThatThrows(store, space, thrown))
          .isSameAs(thrown);
      assertThat(space.contains(KEY)).isFalse();
      assertThat(store.isInTransaction()).isFalse();
    }
  }

  private static void workThatThrows(Store store, Space space, IOException thrown)
      throws IOException {
    store.transact(tx -> {
      tx.put(space, KEY, KEY);
      throw thrown;
    });
  }

  private static byte[] bodyThatThrows(Store store, Space space, IOException thrown)
      throws IOException {
    return store.transactAndGet(tx -> {
      tx.put(space, KEY, KEY);
      if (tx.contains(space, KEY)) {
        throw thrown;
      }
      return KEY;
    });
  }

  /// Lambdas that are one call need no block, whether the call returns something or not.
  @Test
  void aCommitOrAResultIsReturned() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");

      Commit commit = store.transact(tx -> tx.put(space, KEY, KEY));
      long count = store.transactAndGet(tx -> tx.count(space, Range.all()));
      byte[] absent = store.transactAndGet(Durability.NONE, tx -> tx.get(space, new byte[0]));

      assertThat(commit).isEqualTo(store.lastCommit());
      assertThat(count).isEqualTo(1);
      assertThat(absent).isNull();
      assertThat(store.transact(Durability.NONE, tx -> tx.count(space, Range.all())))
          .isEqualTo(commit);
    }
  }
}
