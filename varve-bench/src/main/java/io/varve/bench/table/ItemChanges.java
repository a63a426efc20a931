package io.varve.bench.table;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.bench.engine.Batch;
import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.item.EntityClass;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/// A store that takes items: keys of 16 bytes at random positions, which contain all the
/// information.
sealed interface ItemChanges extends AutoCloseable {
  /// What one thread does.
  ///
  /// @param batch changes per commit
  Session session(int thread, int batch);

  /// Checks that what was committed is there.
  void check();

  @Override
  void close();

  /// For one thread.
  interface Session {
    /// Inserts one item.
    void insert();

    /// Commits, to the disk.
    void commit();

    void close();
  }

  /// An item space of Varve.
  final class OfItemSpace implements ItemChanges {
    private static final EntityClass RECORD = new EntityClass(10, "Record");

    private final Store store;
    private final ItemSpace items;
    private final LongAdder inserted = new LongAdder();

    OfItemSpace(ScratchDirectory data, long cacheBytes) {
      store = Store.open(data.path(), StoreOptions.defaults().cacheBytes(cacheBytes));
      items = store.items("items");
    }

    @Override
    public Session session(int thread, int batch) {
      SplittableRandom random = new SplittableRandom(thread);
      return new Session() {
        private final Item.Builder builder = Item.builder();

        @Override
        public void insert() {
          long entity = random.nextLong() | (Long.MIN_VALUE >>> 1); // so that all are of one length
          items.insert(
              builder
                  .clear()
                  .entityClass(RECORD)
                  .int64(entity & Long.MAX_VALUE)
                  .int64((1L << 24) | thread)
                  .build());
          inserted.increment();
        }

        @Override
        public void commit() {
          items.commit();
        }

        @Override
        public void close() {
          items.commit();
        }
      };
    }

    @Override
    public void check() {
      if (items.count() != inserted.sum()) {
        throw new WrongAnswerException(
            "items are missing: expected=" + inserted.sum() + ", found=" + items.count());
      }
    }

    @Override
    public void close() {
      store.close();
    }
  }

  /// Another store, with keys as long as the items.
  final class OfEngine implements ItemChanges {
    private static final byte[] VALUE = new byte[1];
    private static final int CAPACITY = 1;

    private final Engine engine;

    OfEngine(TableRun run, ScratchDirectory data) {
      engine = run.open(data, Promise.DISK, new Records(KeyOrder.HASHED, VALUE.length, CAPACITY));
    }

    @Override
    public Session session(int thread, int batch) {
      EngineSession session = engine.session();
      SplittableRandom random = new SplittableRandom(thread);
      return new Session() {
        private final Batch changes = new Batch();

        @Override
        public void insert() {
          byte[] key = new byte[EngineSettings.KEY_BYTES];
          random.nextBytes(key);
          changes.put(key, VALUE);
        }

        @Override
        public void commit() {
          session.commit(changes);
          changes.clear();
        }

        @Override
        public void close() {
          session.close();
        }
      };
    }

    @Override
    public void check() {
      // What the peers answer is checked by the tables that measure them.
    }

    @Override
    public void close() {
      engine.close();
    }
  }
}
