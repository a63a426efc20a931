package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/// JetBrains Xodus: a B-tree in an append-only log.
final class XodusEngine implements Engine {
  private static final long LOG_FILE_KIB = 32 * 1024;

  private final Environment environment;
  private final Store store;

  private XodusEngine(EngineSettings settings) {
    EnvironmentConfig config =
        new EnvironmentConfig()
            .setMemoryUsage(settings.cacheBytes())
            .setLogFileSize(LOG_FILE_KIB)
            .setLogDurableWrite(settings.promise() == Promise.DISK)
            .setManagementEnabled(false)
            .setEnvCloseForcedly(true);
    environment = Environments.newInstance(settings.directory().toFile(), config);
    Transaction transaction = environment.beginExclusiveTransaction();
    store = environment.openStore("bench", StoreConfig.WITHOUT_DUPLICATES, transaction);
    transaction.commit();
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    environment.close();
  }

  private final class Session implements EngineSession {
    @Override
    public boolean get(byte[] key, ValueSink sink) {
      Transaction transaction = environment.beginReadonlyTransaction();
      try {
        @Nullable ByteIterable value = store.get(transaction, new ArrayByteIterable(key));
        if (value == null) {
          return false;
        }
        sink.value(value.getBytesUnsafe(), value.getLength());
        return true;
      } finally {
        transaction.abort();
      }
    }

    @Override
    public void put(byte[] key, byte[] value) {
      new Change().make(change -> change.put(key, value));
    }

    @Override
    public void delete(byte[] key) {
      new Change().make(change -> change.delete(key));
    }

    @Override
    public void commit(Batch batch) {
      new Change().make(batch::forEach);
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      read(cursor -> {
        if (cursor.getSearchKeyRange(new ArrayByteIterable(from)) == null) {
          return;
        }
        boolean more = give(cursor, sink);
        while (more && cursor.getNext()) {
          more = give(cursor, sink);
        }
      });
    }

    @Override
    public void forward(EntrySink sink) {
      read(cursor -> {
        boolean more = true;
        while (more && cursor.getNext()) {
          more = give(cursor, sink);
        }
      });
    }

    @Override
    public void backward(EntrySink sink) {
      read(cursor -> {
        boolean more = true;
        while (more && cursor.getPrev()) {
          more = give(cursor, sink);
        }
      });
    }

    @Override
    public void close() {}

    private void read(Consumer<Cursor> reader) {
      Transaction transaction = environment.beginReadonlyTransaction();
      try (Cursor cursor = store.openCursor(transaction)) {
        reader.accept(cursor);
      } finally {
        transaction.abort();
      }
    }

    private static boolean give(Cursor cursor, EntrySink sink) {
      ByteIterable value = cursor.getValue();
      return sink.entry(
          cursor.getKey().getBytesUnsafe(), value.getBytesUnsafe(), value.getLength());
    }
  }

  /// One exclusive transaction.
  private final class Change implements Batch.Changes<RuntimeException> {
    private final Transaction transaction = environment.beginExclusiveTransaction();

    void make(Consumer<Change> changes) {
      try {
        changes.accept(this);
        transaction.commit();
      } finally {
        if (!transaction.isFinished()) {
          transaction.abort();
        }
      }
    }

    @Override
    public void put(byte[] key, byte[] value) {
      store.put(transaction, new ArrayByteIterable(key), new ArrayByteIterable(value));
    }

    @Override
    public void delete(byte[] key) {
      store.delete(transaction, new ArrayByteIterable(key));
    }
  }

  static final class Type implements EngineType {
    @Override
    public String label() {
      return "xodus";
    }

    @Override
    public String version() {
      return JarVersion.of(Environments.class);
    }

    @Override
    public String describe(Promise promise) {
      String settings =
          "WITHOUT_DUPLICATES, memory usage = cache, 32 MiB log files, exclusive transactions; ";
      return switch (promise) {
        case DISK -> settings + "log durable write";
        case OS, FAST -> settings + "log written at each commit, synced every 10 s";
      };
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(
          Feature.ORDERED,
          Feature.ATOMIC_BATCH,
          Feature.COMMIT_TO_DISK,
          Feature.COMMIT_TO_OS,
          Feature.PERSISTENT);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new XodusEngine(settings);
    }
  }
}
