package io.varve.grid.items;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSnapshot;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the items of a node were at one point, to be written to another directory. Holds snapshots
/// until it is closed. For one thread.
public final class ItemsCopy implements AutoCloseable {
  /// Bytes of items in one commit, at most one item more.
  private static final int COMMIT_BYTES_MAX = 1 << 20;

  /// Bytes of pages in memory: what is written is not read again.
  private static final long CACHE_BYTES = 16 << 20;

  private static final byte[] NOTHING = {};

  private final StoreOptions source;
  private final Map<String, ItemSnapshot> snapshots = new LinkedHashMap<>();
  private final List<Space> others;
  private final Snapshot ofOthers;

  private ItemsCopy(Store source, List<Space> others) {
    this.source = source.options();
    this.others = others;
    this.ofOthers = source.snapshot();
  }

  /// Takes a copy of some item spaces, and of other spaces.
  ///
  /// @param source their store: what is written is compressed and encrypted as it is
  static ItemsCopy of(Store source, List<ServedItems> spaces, List<Space> others) {
    var copy = new ItemsCopy(source, others);
    try {
      spaces.forEach(space -> copy.snapshots.put(space.name(), space.snapshot()));
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /// Writes the copy, a store that a node can be started with. It is on stable storage when this
  /// returns.
  ///
  /// @param directory that is missing or empty
  public void writeTo(Path directory) {
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
      snapshots.forEach((name, items) -> {
        ItemCursor cursor = items.cursor();
        boolean more = cursor.next();
        Space space = target.space(name);
        while (more) {
          more = writeSome(cursor, target, space);
        }
      });
      others.forEach(space -> writeEntries(space, target.space(space.name())));
      target.checkpoint();
    }
  }

  /// Writes the entries of a space that is no item space.
  private void writeEntries(Space space, Space target) {
    try (Cursor cursor = ofOthers.cursor(space, Range.all())) {
      while (cursor.next()) {
        target.put(cursor.key(), cursor.valueStream(), cursor.valueLength());
      }
    }
  }

  /// Writes the item under the cursor and some that follow: an item is a key without a value.
  ///
  /// @return whether the cursor is on an item that is to be written yet
  private static boolean writeSome(ItemCursor cursor, Store target, Space space) {
    try (Transaction transaction = target.begin()) {
      long bytes = 0;
      boolean more = true;
      while (more && bytes < COMMIT_BYTES_MAX) {
        byte[] key = cursor.toBytes();
        transaction.put(space, key, NOTHING);
        bytes += key.length;
        more = cursor.next();
      }
      transaction.commit(Durability.BACKGROUND);
      return more;
    }
  }

  @Override
  public void close() {
    snapshots.values().forEach(ItemSnapshot::close);
    ofOthers.close();
  }
}
