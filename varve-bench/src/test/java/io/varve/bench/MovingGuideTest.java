package io.varve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.StoreConfig;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/// Runs the code of docs/MOVING.md: each piece is here as it is there, over a store that the other
/// library has written.
class MovingGuideTest {
  private static final int ENTRIES = 2_500;

  static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());

  @TempDir Path directory;

  private Store store;
  private Path old;

  @BeforeEach
  void open() {
    store = Store.open(directory.resolve("shop"));
    old = directory.resolve("old");
  }

  @AfterEach
  void close() {
    store.verify().requireSound();
    store.close();
  }

  /// Puts entries, a thousand in a commit; the last ones are there when it is closed.
  static final class Copy implements AutoCloseable {
    private final Store store;
    private final Space space;
    private final List<Entry> batch = new ArrayList<>();

    Copy(Store store, String space) {
      this.store = store;
      this.space = store.space(space);
    }

    void put(byte[] key, byte[] value) {
      batch.add(new Entry(key, value));
      if (batch.size() == 1_000) {
        close();
      }
    }

    @Override
    public void close() {
      store.transact(
          Durability.BACKGROUND,
          tx -> batch.forEach(entry -> tx.put(space, entry.key(), entry.value())));
      batch.clear();
    }
  }

  private static byte[] key(int i) {
    return "k%05d".formatted(i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    return ("v" + i).getBytes(UTF_8);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static byte[] bytes(ByteIterable iterable) {
    return Arrays.copyOf(iterable.getBytesUnsafe(), iterable.getLength());
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private void requireEntries() {
    Space space = store.space("stock");
    assertThat(space.count(Range.all())).isEqualTo(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(space.get(key(i))).isEqualTo(value(i));
    }
  }

  @Test
  void rocksDb() throws RocksDBException {
    String source = old.toString();
    try (Options made = new Options().setCreateIfMissing(true);
        RocksDB rocks = RocksDB.open(made, source)) {
      for (int i = 0; i < ENTRIES; i++) {
        rocks.put(key(i), value(i));
      }
    }
    try (Options options = new Options();
        RocksDB rocks = RocksDB.openReadOnly(options, source);
        RocksIterator entries = rocks.newIterator();
        Copy copy = new Copy(store, "stock")) {
      for (entries.seekToFirst(); entries.isValid(); entries.next()) {
        copy.put(entries.key(), entries.value());
      }
    }
    requireEntries();
  }

  @Test
  void lmdb() {
    File source = old.toFile();
    assertThat(source.mkdir()).isTrue();
    try (Env<ByteBuffer> env = Env.create().setMapSize(16 << 20).setMaxDbs(1).open(source)) {
      Dbi<ByteBuffer> dbi = env.openDbi("stock", DbiFlags.MDB_CREATE);
      try (Txn<ByteBuffer> txn = env.txnWrite()) {
        for (int i = 0; i < ENTRIES; i++) {
          dbi.put(txn, direct(key(i)), direct(value(i)));
        }
        txn.commit();
      }
    }
    try (Env<ByteBuffer> env = Env.create().setMaxDbs(1).open(source, EnvFlags.MDB_RDONLY_ENV)) {
      Dbi<ByteBuffer> dbi = env.openDbi("stock");
      try (Txn<ByteBuffer> txn = env.txnRead();
          CursorIterable<ByteBuffer> entries = dbi.iterate(txn);
          Copy copy = new Copy(store, "stock")) {
        entries.forEach(entry -> copy.put(bytes(entry.key()), bytes(entry.val())));
      }
    }
    requireEntries();
  }

  @Test
  void mvStore() {
    String source = old.toString();
    try (MVStore written = MVStore.open(source)) {
      written.openMap("stock").putAll(Map.of("apples", 10L, "pears", 7L));
    }
    try (MVStore old = new MVStore.Builder().fileName(source).readOnly().open()) {
      MVMap<String, Long> map = old.openMap("stock");
      map.forEach((key, value) -> store.open(STOCK).with(Durability.BACKGROUND).put(key, value));
    }
    assertThat(store.open(STOCK)).isEqualTo(Map.of("apples", 10L, "pears", 7L));
  }

  @Test
  void mapDb() {
    File source = old.toFile();
    try (DB written = DBMaker.fileDB(source).make()) {
      written
          .treeMap("stock", Serializer.STRING, Serializer.LONG)
          .create()
          .putAll(Map.of("apples", 10L, "pears", 7L));
    }
    try (DB old = DBMaker.fileDB(source).readOnly().make()) {
      BTreeMap<String, Long> map = old.treeMap("stock", Serializer.STRING, Serializer.LONG).open();
      map.forEach((key, value) -> store.open(STOCK).with(Durability.BACKGROUND).put(key, value));
    }
    assertThat(store.open(STOCK)).isEqualTo(Map.of("apples", 10L, "pears", 7L));
  }

  @Test
  void xodus() {
    String source = old.toString();
    try (Environment written = Environments.newInstance(source)) {
      written.executeInTransaction(txn -> {
        jetbrains.exodus.env.Store stock =
            written.openStore("stock", StoreConfig.WITHOUT_DUPLICATES, txn);
        for (int i = 0; i < ENTRIES; i++) {
          stock.put(txn, new ArrayByteIterable(key(i)), new ArrayByteIterable(value(i)));
        }
      });
    }
    try (Environment old = Environments.newInstance(source)) {
      old.executeInReadonlyTransaction(txn -> {
        jetbrains.exodus.env.Store stock = old.openStore("stock", StoreConfig.USE_EXISTING, txn);
        try (Cursor entries = stock.openCursor(txn);
            Copy copy = new Copy(store, "stock")) {
          while (entries.getNext()) {
            copy.put(bytes(entries.getKey()), bytes(entries.getValue()));
          }
        }
      });
    }
    requireEntries();
  }
}
