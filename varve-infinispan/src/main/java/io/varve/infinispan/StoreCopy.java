package io.varve.infinispan;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/// What the store of a cache held at one point of its commit order, to be written to another
/// directory. Holds a snapshot until it is closed: the store is in use as before, and its file may
/// grow by what is changed. For one thread.
public final class StoreCopy implements AutoCloseable {
  /// Bytes of entries in one commit, at most one entry more.
  private static final int COMMIT_BYTES_MAX = 1 << 20;

  /// Values from this length on are streamed.
  private static final int STREAM_BYTES_MIN = 1 << 20;

  /// Bytes of pages in memory: what is written is not read again.
  private static final long CACHE_BYTES = 16 << 20;

  private final Snapshot snapshot;
  private final StoreOptions source;
  private final List<Space> spaces;

  /// @param snapshot closed with this
  /// @param source of the store: what is written is compressed and encrypted as it is
  StoreCopy(Snapshot snapshot, StoreOptions source, List<Space> spaces) {
    this.snapshot = snapshot;
    this.source = source;
    this.spaces = spaces;
  }

  /// Writes the copy, a store that a cache can be started with. It is on stable storage when this
  /// returns.
  ///
  /// @param directory that is missing or empty
  public void writeTo(Path directory) throws IOException {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .cacheBytes(CACHE_BYTES)
            .compression(source.compression());
    KeySource key = source.encryption();
    if (key != null) {
      options = options.encryption(key);
    }
    try (Store target = Store.open(directory, options)) {
      for (Space space : spaces) {
        try (Cursor cursor = snapshot.cursor(space, Range.all())) {
          boolean more = cursor.next();
          while (more) {
            more = writeSome(cursor, target, target.space(space.name()));
          }
        }
      }
      target.checkpoint();
    }
  }

  /// Writes the entry under the cursor and some that follow.
  ///
  /// @return whether the cursor is on an entry that is to be written yet
  private static boolean writeSome(Cursor cursor, Store target, Space space) throws IOException {
    if (cursor.valueLength() >= STREAM_BYTES_MIN) {
      try (InputStream value = cursor.valueStream()) {
        space.put(cursor.key(), value, cursor.valueLength());
      }
      return cursor.next();
    }
    try (Transaction transaction = target.begin()) {
      long bytes = 0;
      boolean more = true;
      while (more && bytes < COMMIT_BYTES_MAX && cursor.valueLength() < STREAM_BYTES_MIN) {
        byte[] key = cursor.key();
        transaction.put(space, key, cursor.value());
        bytes += key.length + cursor.valueLength();
        more = cursor.next();
      }
      transaction.commit(Durability.BACKGROUND);
      return more;
    }
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
