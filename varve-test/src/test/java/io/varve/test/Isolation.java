package io.varve.test;

import io.varve.ConflictException;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How transactions are kept apart: as the store does it, or worse, to show that the
/// [SerializabilityTest] would notice.
enum Isolation {
  /// One transaction of the store.
  SERIALIZABLE {
    @Override
    long run(Store store, Consumer<Work> body) {
      try (Transaction transaction = store.begin()) {
        body.accept(Work.in(transaction));
        return transaction.commit().lsn();
      }
    }
  },

  /// A transaction of the store that runs again after a conflict, and alone in the end.
  SERIALIZABLE_WITH_RETRIES {
    @Override
    long run(Store store, Consumer<Work> body) {
      return store.transact(transaction -> body.accept(Work.in(transaction))).lsn();
    }
  },

  /// Snapshot isolation: of what was read, only what is written is checked.
  SNAPSHOT {
    @Override
    long run(Store store, Consumer<Work> body) {
      return Snapshotted.run(store, body, /* checksWrites= */ true);
    }
  },

  /// Nothing is checked.
  UNCHECKED {
    @Override
    long run(Store store, Consumer<Work> body) {
      return Snapshotted.run(store, body, /* checksWrites= */ false);
    }
  };

  /// Runs a body, once or until there is no conflict, and commits it.
  ///
  /// @return the LSN
  /// @throws ConflictException if there is one; nothing was written
  abstract long run(Store store, Consumer<Work> body);

  /// What a transaction does.
  interface Work {
    byte @Nullable [] get(Space space, byte[] key);

    Iterable<Entry> scan(Space space, Range range);

    void put(Space space, byte[] key, byte[] value);

    static Work in(Transaction transaction) {
      return new Work() {
        @Override
        public byte @Nullable [] get(Space space, byte[] key) {
          return transaction.get(space, key);
        }

        @Override
        public Iterable<Entry> scan(Space space, Range range) {
          return transaction.scan(space, range);
        }

        @Override
        public void put(Space space, byte[] key, byte[] value) {
          transaction.put(space, key, value);
        }
      };
    }
  }

  /// Reads of a snapshot and writes that are kept for a transaction of the store that reads nothing
  /// itself, and so never meets a conflict.
  private static final class Snapshotted implements Work {
    private final Snapshot snapshot;
    private final Map<Space, TreeMap<byte[], byte[]>> writes = new HashMap<>();

    private Snapshotted(Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    static long run(Store store, Consumer<Work> body, boolean checksWrites) {
      try (Snapshot snapshot = store.snapshot();
          Transaction transaction = store.begin()) {
        Snapshotted work = new Snapshotted(snapshot);
        body.accept(work);
        if (checksWrites) {
          work.requireUnchanged(transaction);
        }
        work.writes.forEach((space, written) ->
            written.forEach((key, value) -> transaction.put(space, key, value)));
        return transaction.commit().lsn();
      }
    }

    /// Has the transaction read what is to be written, so that the store checks it.
    private void requireUnchanged(Transaction transaction) {
      writes.forEach((space, written) -> {
        for (byte[] key : written.keySet()) {
          if (!Arrays.equals(transaction.get(space, key), snapshot.get(space, key))) {
            throw new ConflictException("a key was changed by another commit");
          }
        }
      });
    }

    @Override
    public byte @Nullable [] get(Space space, byte[] key) {
      byte[] own = writesTo(space).get(key);
      return own == null ? snapshot.get(space, key) : own;
    }

    @Override
    public Iterable<Entry> scan(Space space, Range range) {
      List<Entry> entries = new ArrayList<>();
      for (Entry entry : snapshot.scan(space, range)) {
        byte[] own = writesTo(space).get(entry.key());
        entries.add(own == null ? entry : new Entry(entry.key(), own));
      }
      writesTo(space)
          .forEach((key, value) -> {
            if (range.contains(key) && snapshot.get(space, key) == null) {
              entries.add(new Entry(key, value));
            }
          });
      return entries;
    }

    @Override
    public void put(Space space, byte[] key, byte[] value) {
      writesTo(space).put(key, value);
    }

    private TreeMap<byte[], byte[]> writesTo(Space space) {
      return writes.computeIfAbsent(space, _ -> new TreeMap<>(Arrays::compareUnsigned));
    }
  }
}
