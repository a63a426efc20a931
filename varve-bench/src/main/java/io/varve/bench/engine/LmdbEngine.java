package io.varve.bench.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/// LMDB through lmdbjava: a copy-on-write B+tree in a mapped file.
final class LmdbEngine implements Engine {
  /// Address space, not disk: the file grows as it is written (except a written map, where it is
  /// sparse).
  private static final long MAP_BYTES_MIN = 8L << 30;

  private static final int READERS_MAX = 4096;

  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> dbi;

  private LmdbEngine(boolean writeMap, EngineSettings settings) {
    List<EnvFlags> flags =
        new ArrayList<>(
            List.of(EnvFlags.MDB_NOTLS, EnvFlags.MDB_NORDAHEAD, EnvFlags.MDB_NOMEMINIT));
    if (writeMap) {
      flags.addAll(List.of(EnvFlags.MDB_WRITEMAP, EnvFlags.MDB_MAPASYNC));
    } else if (settings.promise() != Promise.DISK) {
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    env =
        Env.create(ByteBufferProxy.PROXY_OPTIMAL)
            .setMapSize(Math.max(MAP_BYTES_MIN, 4 * settings.dataBytesMax()))
            .setMaxDbs(1)
            .setMaxReaders(READERS_MAX)
            .open(settings.directory().toFile(), flags.toArray(new EnvFlags[0]));
    dbi = env.openDbi("bench", DbiFlags.MDB_CREATE);
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    env.close();
  }

  private final class Session implements EngineSession {
    private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(EngineSettings.KEY_BYTES);
    private final byte[] key = new byte[EngineSettings.KEY_BYTES];
    private byte[] value = new byte[1024];
    private ByteBuffer valueBuffer = ByteBuffer.allocateDirect(1024);
    private @Nullable Reader reader;

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      Txn<ByteBuffer> transaction = reader().renew();
      int length;
      try {
        @Nullable ByteBuffer found = dbi.get(transaction, direct(key));
        if (found == null) {
          return false;
        }
        length = copyValue(found);
      } finally {
        transaction.reset();
      }
      sink.value(value, length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      try (Txn<ByteBuffer> transaction = env.txnWrite()) {
        new Change(transaction).put(key, value);
        transaction.commit();
      }
    }

    @Override
    public void delete(byte[] key) {
      try (Txn<ByteBuffer> transaction = env.txnWrite()) {
        new Change(transaction).delete(key);
        transaction.commit();
      }
    }

    @Override
    public void commit(Batch batch) {
      try (Txn<ByteBuffer> transaction = env.txnWrite()) {
        batch.forEach(new Change(transaction));
        transaction.commit();
      }
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      read(cursor -> {
        boolean more = cursor.get(direct(from), GetOp.MDB_SET_RANGE);
        while (more && give(cursor, sink)) {
          more = cursor.next();
        }
      });
    }

    @Override
    public void forward(EntrySink sink) {
      read(cursor -> {
        boolean more = cursor.first();
        while (more && give(cursor, sink)) {
          more = cursor.next();
        }
      });
    }

    @Override
    public void backward(EntrySink sink) {
      read(cursor -> {
        boolean more = cursor.last();
        while (more && give(cursor, sink)) {
          more = cursor.prev();
        }
      });
    }

    @Override
    public void close() {
      if (reader != null) {
        reader.close();
      }
    }

    private void read(Consumer<Cursor<ByteBuffer>> work) {
      Reader current = reader();
      Txn<ByteBuffer> transaction = current.renew();
      try {
        current.cursor.renew(transaction);
        work.accept(current.cursor);
      } finally {
        transaction.reset();
      }
    }

    private Reader reader() {
      Reader current = reader;
      if (current == null) {
        current = new Reader();
        reader = current;
      }
      return current;
    }

    private boolean give(Cursor<ByteBuffer> cursor, EntrySink sink) {
      cursor.key().get(key);
      int length = copyValue(cursor.val());
      return sink.entry(key, value, length);
    }

    private int copyValue(ByteBuffer found) {
      int length = found.remaining();
      if (length > value.length) {
        value = new byte[length];
      }
      found.get(value, 0, length);
      return length;
    }

    private ByteBuffer direct(byte[] key) {
      return keyBuffer.clear().put(key).flip();
    }

    private ByteBuffer directValue(byte[] value) {
      if (value.length > valueBuffer.capacity()) {
        valueBuffer = ByteBuffer.allocateDirect(value.length);
      }
      return valueBuffer.clear().put(value).flip();
    }

    /// The changes of one write transaction.
    private final class Change implements Batch.Changes<RuntimeException> {
      private final Txn<ByteBuffer> transaction;

      Change(Txn<ByteBuffer> transaction) {
        this.transaction = transaction;
      }

      @Override
      public void put(byte[] key, byte[] value) {
        dbi.put(transaction, direct(key), directValue(value));
      }

      @Override
      public void delete(byte[] key) {
        dbi.delete(transaction, direct(key));
      }
    }
  }

  /// A read transaction and its cursor, renewed for every read.
  private final class Reader {
    private final Txn<ByteBuffer> transaction = env.txnRead();
    private final Cursor<ByteBuffer> cursor = dbi.openCursor(transaction);

    Reader() {
      transaction.reset();
    }

    Txn<ByteBuffer> renew() {
      transaction.renew();
      return transaction;
    }

    void close() {
      cursor.close();
      transaction.close();
    }
  }

  /// @param label the name on the command line
  /// @param writeMap whether the map itself is written, at the price of a file that a stray pointer
  ///   or a loss of power can ruin
  record Type(String label, boolean writeMap) implements EngineType {
    static {
      // The checks of arguments are for development, according to lmdbjava.
      System.setProperty(Env.DISABLE_CHECKS_PROP, "true");
    }

    @Override
    public String version() {
      return JarVersion.of(Env.class)
          + " with library "
          + JarVersion.of("/org/lmdbjava/native/x86_64-linux-gnu.so");
    }

    @Override
    public String describe(Promise promise) {
      String settings = "NOTLS, NORDAHEAD, NOMEMINIT, cache is the page cache; ";
      if (writeMap) {
        return settings + "WRITEMAP, MAPASYNC: loss of power may ruin the file";
      }
      return switch (promise) {
        case DISK -> settings + "data and meta sync";
        case OS, FAST -> settings + "NOSYNC: loss of power may ruin the file";
      };
    }

    @Override
    public Set<Feature> features() {
      EnumSet<Feature> features =
          EnumSet.of(
              Feature.ORDERED,
              Feature.ATOMIC_BATCH,
              Feature.COMMIT_TO_OS,
              Feature.PERSISTENT,
              Feature.LARGE_VALUES);
      if (!writeMap) {
        features.add(Feature.COMMIT_TO_DISK);
      }
      return features;
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new LmdbEngine(writeMap, settings);
    }
  }
}
