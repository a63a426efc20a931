package io.varve.grid.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.Preconditions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The blobs of a node. Each has a record, under its set and key, and parts of
/// [BlobRecord#PART_BYTES] under an id that no other blob has. Parts are written as they come.
///
/// - BLOB-1 A blob changes in one commit, that of its record. So a key has its old blob whole until
///   it has the new one whole, and what reads a snapshot reads one of them.
/// - BLOB-2 Parts that no record names have an entry in [#UNFINISHED]. It is made before the first
///   of them, or by the commit that leaves them without a record. What a crash leaves is removed at
///   the next start ([#removeUnfinished]).
/// - BLOB-3 Conditions are compared with the record in the transaction that changes it.
/// - BLOB-4 The log has parts before the record that names them, so a force (fsync) of the record
///   covers them.
///
/// **Threads:** any number of threads, platform or virtual.
final class BlobStore {
  private static final String RECORDS = ItemStore.RESERVED + "blobs";
  private static final String PARTS = ItemStore.RESERVED + "blob-parts";
  private static final String UNFINISHED = ItemStore.RESERVED + "blob-unfinished";

  /// Removed in one commit.
  private static final int REMOVED_PARTS_MAX = 1_000;

  private static final byte[] NOTHING = {};
  private static final System.Logger LOGGER = System.getLogger(BlobStore.class.getName());

  private final ItemStore items;

  /// What became of a change.
  ///
  /// @param before the record before it, or null if there was none
  /// @param after the record after it, or null if there is none
  record Change(boolean isRefused, @Nullable BlobRecord before, @Nullable BlobRecord after) {}

  BlobStore(ItemStore items) {
    this.items = items;
  }

  /// Removes what was not finished when the node ended, concurrently. (BLOB-2)
  void removeUnfinished() {
    Store store = items.present();
    Space unfinished = store == null ? null : store.findSpace(UNFINISHED);
    if (store != null && unfinished != null) {
      List<byte[]> ids = new ArrayList<>();
      unfinished.scan(Range.all()).forEach(entry -> ids.add(entry.key()));
      removeSoon(store, ids);
    }
  }

  private static void removeSoon(Store store, List<byte[]> ids) {
    if (!ids.isEmpty()) {
      Thread.ofVirtual()
          .name("varve-blobs-removal")
          .start(() -> ids.forEach(id -> removeParts(store, id)));
    }
  }

  private static void removeParts(Store store, byte[] id) {
    try {
      Space parts = weak(store, PARTS);
      long next = firstPart(parts, id);
      while (next >= 0) {
        long end = next + REMOVED_PARTS_MAX;
        long removed =
            parts.deleteRange(Range.of(BlobRecord.partKey(id, next), BlobRecord.partKey(id, end)));
        next = removed < REMOVED_PARTS_MAX ? -1 : end;
      }
      weak(store, UNFINISHED).delete(id);
    } catch (StoreClosedException _) { // The next start does it.
    } catch (VarveException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "parts of a blob that is gone could not be removed; the next start removes them",
          e);
    }
  }

  private static long firstPart(Space parts, byte[] id) {
    try (Cursor cursor = parts.cursor(Range.prefix(id))) {
      return cursor.first() ? ByteBuffer.wrap(cursor.key()).getLong(id.length) : -1;
    }
  }

  /// The record of a key as it is now, or null if there is none.
  @Nullable BlobRecord find(byte[] key) {
    Store store = items.present();
    Space records = store == null ? null : store.findSpace(RECORDS);
    byte[] stored = records == null ? null : records.get(key);
    return stored == null ? null : BlobRecord.of(stored);
  }

  /// Replaces the blob of a key by the bytes of a stream, which is read once, to its end.
  ///
  /// @param length of the stream, or -1 if it is not known
  /// @return what was changed; refused if a condition is not true
  /// @throws IOException if the stream fails; nothing has changed
  Change put(byte[] key, Preconditions conditions, String type, InputStream body, long length)
      throws IOException {
    int partBytes =
        (int) (length < 0 ? BlobRecord.PART_BYTES : Math.min(length, BlobRecord.PART_BYTES));
    byte[] part = new byte[partBytes];
    int bytes = body.readNBytes(part, 0, partBytes);
    Store store = items.made();
    long nowMillis = System.currentTimeMillis();
    byte[] id = BlobRecord.newId(nowMillis);
    if (bytes == BlobRecord.PART_BYTES) {
      return putParts(store, key, conditions, new Begun(id, nowMillis, type, part, body));
    }
    if (body.read() >= 0) {
      throw new IOException("a body is longer than its length");
    }
    byte[] all = Arrays.copyOf(part, bytes);
    return change(
        store,
        key,
        conditions,
        new BlobRecord(id, bytes, nowMillis, type),
        transaction -> {
          if (all.length > 0) {
            transaction.put(store.space(PARTS), BlobRecord.partKey(id, 0), all);
          }
        });
  }

  /// A blob whose first part was read.
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Begun(byte[] id, long nowMillis, String type, byte[] part, InputStream body) {}

  private Change putParts(Store store, byte[] key, Preconditions conditions, Begun begun)
      throws IOException {
    byte[] id = begun.id();
    byte[] part = begun.part();
    Space parts = weak(store, PARTS);
    boolean isDone = false;
    try {
      weak(store, UNFINISHED).put(id, NOTHING); // BLOB-2
      long length = 0;
      int bytes = part.length;
      for (long number = 0; bytes > 0; number++) {
        parts.put(BlobRecord.partKey(id, number), new ByteArrayInputStream(part, 0, bytes), bytes);
        length += bytes;
        bytes = begun.body().readNBytes(part, 0, BlobRecord.PART_BYTES);
      }
      var record = new BlobRecord(id, length, begun.nowMillis(), begun.type());
      Change change =
          change(
              store,
              key,
              conditions,
              record,
              transaction -> transaction.delete(store.space(UNFINISHED), id));
      isDone = !change.isRefused();
      return change;
    } finally {
      if (!isDone) {
        removeParts(store, id);
      }
    }
  }

  /// A space whose changes wait for no force. (BLOB-4)
  private static Space weak(Store store, String name) {
    Space space = store.space(name);
    return store.options().durability() == Durability.POWER_LOSS
        ? space.with(Durability.BACKGROUND)
        : space;
  }

  /// Removes the blob of a key.
  Change remove(byte[] key, Preconditions conditions) {
    Store store = items.present();
    return store == null
        ? new Change(!conditions.areTrueOf(null), null, null)
        : change(store, key, conditions, null, _ -> {});
  }

  /// Changes a record (BLOB-1), and removes the parts that it has had.
  ///
  /// @param more changes of the same transaction, which is made again after a conflict
  private Change change(
      Store store,
      byte[] key,
      Preconditions conditions,
      @Nullable BlobRecord record,
      Consumer<Transaction> more) {
    Space records = store.space(RECORDS);
    Space parts = store.space(PARTS);
    Space unfinished = store.space(UNFINISHED);
    Change change =
        items.change(() ->
            store.transactAndGet(transaction -> {
              byte[] stored = transaction.get(records, key);
              BlobRecord before = stored == null ? null : BlobRecord.of(stored);
              if (!conditions.areTrueOf(before == null ? null : before.tag())) { // BLOB-3
                return new Change(true, before, before);
              }
              if (before != null && before.length() <= BlobRecord.PART_BYTES) {
                transaction.delete(parts, BlobRecord.partKey(before.id(), 0));
              } else if (before != null) {
                transaction.put(unfinished, before.id(), NOTHING); // BLOB-2
              }
              if (record != null) {
                transaction.put(records, key, record.toBytes());
                more.accept(transaction);
              } else if (before != null) {
                transaction.delete(records, key);
              }
              return new Change(false, before, record);
            }));
    BlobRecord before = change.before();
    if (!change.isRefused() && before != null && before.length() > BlobRecord.PART_BYTES) {
      removeSoon(store, List.of(before.id()));
    }
    return change;
  }

  /// The state of now, as durable as the store promises, or null if there are no blobs. Close it.
  @Nullable Snapshot snapshot() {
    Store store = items.present();
    if (store == null || store.findSpace(RECORDS) == null) {
      return null;
    }
    Snapshot snapshot = store.snapshot();
    try {
      if (store.options().durability() == Durability.POWER_LOSS) {
        Commit seen = snapshot.lastCommit();
        store.awaitDurable(seen);
      }
      return snapshot;
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
  }

  static @Nullable BlobRecord find(Snapshot snapshot, byte[] key) {
    byte[] stored = snapshot.get(snapshot.store().space(RECORDS), key);
    return stored == null ? null : BlobRecord.of(stored);
  }

  /// Reads bytes of a blob of a snapshot, which is closed with what is returned.
  static BlobReader read(Snapshot snapshot, BlobRecord record, ByteRange range, Runnable end) {
    return new BlobReader(snapshot, snapshot.store().space(PARTS), record.id(), range, end);
  }

  /// Visits the names of sets in order.
  ///
  /// @param prefix that they begin with
  /// @param after the name before the first, empty to begin
  /// @param takesMore of a name: whether there may be another
  static void scanSets(
      Snapshot snapshot, String prefix, String after, Predicate<String> takesMore) {
    Range range = Range.prefix(prefix.getBytes(UTF_8));
    try (Cursor cursor = snapshot.cursor(snapshot.store().space(RECORDS), range)) {
      boolean more = after.isEmpty() ? cursor.first() : cursor.seek(afterSet(after));
      while (more) {
        byte[] key = cursor.key();
        int end = 0;
        while (key[end] != 0) {
          end++;
        }
        String name = new String(key, 0, end, UTF_8);
        more = takesMore.test(name) && cursor.seek(afterSet(name));
      }
    }
  }

  /// A key after all records of a set, and before those of each set that follows.
  private static byte[] afterSet(String name) {
    return (name + '\1').getBytes(UTF_8);
  }

  /// Visits the blobs of a set in the order of their keys.
  ///
  /// @param prefix that their keys begin with
  /// @param after the key before the first, empty to begin
  /// @param visitor of the key and the record; returns whether it takes more
  static void scan(
      Snapshot snapshot, String set, String prefix, String after, BlobVisitor visitor) {
    int keyAt = set.getBytes(UTF_8).length + 1;
    Range range = Range.prefix(BlobAddress.recordKey(set, prefix));
    byte[] from = BlobAddress.recordKey(set, after);
    try (Cursor cursor = snapshot.cursor(snapshot.store().space(RECORDS), range)) {
      boolean more = after.isEmpty() ? cursor.first() : cursor.seek(from);
      if (more && !after.isEmpty() && Arrays.equals(cursor.key(), from)) {
        more = cursor.next();
      }
      while (more) {
        byte[] key = cursor.key();
        String name = new String(key, keyAt, key.length - keyAt, UTF_8);
        more = visitor.visit(name, BlobRecord.of(cursor.value())) && cursor.next();
      }
    }
  }

  /// Takes the blobs of a set, one after the other.
  interface BlobVisitor {
    /// Takes one.
    ///
    /// @return whether there may be another
    boolean visit(String key, BlobRecord record);
  }
}
