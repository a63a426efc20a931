package io.varve.internal.salvage;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Fills a store, many small changes to a transaction. For one thread.
final class NewStore {
  /// Large enough that the cost of a commit does not count, small enough to take little memory.
  static final int BATCH_BYTES = 1 << 20;

  private final Store store;
  private @Nullable Transaction transaction;
  private int batchBytes;

  NewStore(Store store) {
    this.store = store;
  }

  Store store() {
    return store;
  }

  private Transaction transaction(int bytes) {
    if (batchBytes >= BATCH_BYTES) {
      flush();
    }
    Transaction present = transaction;
    if (present == null) {
      present = store.begin();
      transaction = present;
    }
    batchBytes += bytes + 64;
    return present;
  }

  void put(Space space, byte[] key, byte[] value) {
    transaction(key.length + value.length).put(space, key, value);
  }

  void put(Space space, byte[] key, InputStream value, long length) {
    flush();
    space.put(key, value, length);
  }

  void delete(Space space, byte[] key) {
    transaction(key.length).delete(space, key);
  }

  void deleteRange(Space space, Range range) {
    flush(); // so that the range is looked for in the tree alone
    transaction(0).deleteRange(space, range);
  }

  /// Commits what has gathered. It is on stable storage when the store is closed.
  void flush() {
    Transaction present = transaction;
    if (present != null) {
      present.commit(Durability.BACKGROUND);
      transaction = null;
      batchBytes = 0;
    }
  }
}
