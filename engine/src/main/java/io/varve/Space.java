package io.varve;

import java.io.InputStream;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A named, ordered map from byte keys to byte values, in unsigned byte order of the keys.
///
/// - **Isolation:** every single operation is linearizable.
/// - **Durability:** a change returns when the promise of [StoreOptions#durability()] holds. That
///   is so for each change: [#with(Durability)] is this space with another durability, and
///   [#async()] does not wait. Changes that give no value return their [Commit], which
///   [Store#awaitDurable(Commit)] takes. Those of [#async()] give value and commit.
/// - **Threads:** safe for any number of threads, platform or virtual. Readers take no lock and
///   wait for no writer's I/O. Changes to one space are applied one at a time, and forced together.
/// - **Interrupts:** no operation fails or is lost by an interrupt; the flag stays set.
/// - **Arrays:** keys and values given are copied before the call returns; those returned are
///   copies that belong to the caller. Null is refused. Of an array that another thread changes
///   during the call, some mixture is written, and no other entry is harmed.
///
/// Every change may throw [StoreFullException] (refused before effect), [StoreFailedException] (the
/// log failed) and [StoreClosedException]; every read may throw [CorruptStoreException],
/// [StoreIoException] and [StoreClosedException].
///
/// @since 1.0
public interface Space {
  /// The longest key, in bytes.
  int KEY_BYTES_MAX = 4096;

  /// The longest value, in bytes.
  int VALUE_BYTES_MAX = Integer.MAX_VALUE - 16;

  /// The name of this space.
  String name();

  /// The store that this space belongs to.
  Store store();

  /// This space, where each change returns when the promise of `durability` holds:
  /// `space.with(Durability.BACKGROUND).put(key, value)`. It costs nothing to make, and may be
  /// kept. It can be passed wherever this space can.
  ///
  /// @throws IllegalArgumentException if a store of this kind cannot promise that
  /// @since 1.0
  Space with(Durability durability);

  /// Changes of this space that do not wait for the disk and give stages: with the durability that
  /// changes of this object have.
  ///
  /// @since 1.0
  AsyncSpace async();

  /// The value of `key`, or null when the key is absent.
  byte @Nullable [] get(byte[] key);

  /// The value of `key` as `decoder` reads it in place, or null when the key is absent.
  <T> @Nullable T get(byte[] key, Decoder<T> decoder);

  /// The values of `keys`, in their order, null for each absent key. Each is read as by [#get], not
  /// all at one point, nor one after the other; for that take a snapshot.
  ///
  /// Pages that are in memory are searched for up to 32 keys side by side, so that waits for memory
  /// overlap: over a million entries that takes less than half of the time of single gets. The
  /// order of the keys does not matter.
  List<byte @Nullable []> getAll(List<byte[]> keys);

  /// Whether `key` is present.
  boolean contains(byte[] key);

  /// The value of `key` as a stream, or null when the key is absent. Holds no more than one chunk
  /// of a large value at a time. Close it: an open stream keeps the value's disk space.
  @Nullable InputStream read(byte[] key);

  /// Sets the value of `key`, whatever it was.
  ///
  /// @return the commit
  Commit put(byte[] key, byte[] value);

  /// Sets the value of `key` from a stream of known length, chunk by chunk: the value is never
  /// whole in memory. The key keeps its old value until the whole stream was read.
  ///
  /// @param length the number of bytes to read from `value`, 0 to [#VALUE_BYTES_MAX]
  /// @return the commit
  /// @throws java.io.UncheckedIOException if the stream fails or ends early; nothing was changed
  Commit put(byte[] key, InputStream value, long length);

  /// Sets the value of `key` and gives the one it replaces, or null.
  byte @Nullable [] getAndPut(byte[] key, byte[] value);

  /// Sets the value of `key` unless it has one.
  ///
  /// @return null if the value was set, otherwise the value that is there
  byte @Nullable [] putIfAbsent(byte[] key, byte[] value);

  /// Replaces the value of `key` if it equals `expected`.
  ///
  /// @param expected the value that must be there, or null for an absent key
  /// @param update the value to set, or null to delete
  /// @return whether the value was as expected, and so was replaced
  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update);

  /// Removes `key`, present or not.
  ///
  /// @return the commit
  Commit delete(byte[] key);

  /// Removes `key` and gives the value it had, or null.
  byte @Nullable [] getAndDelete(byte[] key);

  /// Sets `value` if `key` is absent, otherwise the result of `remapping` of the old value and
  /// `value`; a null result deletes. The function runs outside of all locks and may run again when
  /// another change comes between, so it should have no effect but its result. The old value is a
  /// copy, which it may change and return. If it returns that as it was, nothing is written.
  ///
  /// @return the new value, or null if the key was deleted
  byte @Nullable [] merge(byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping);

  /// Removes every key of `range`, in one commit, which names each. Nothing is removed if that is
  /// refused: then remove the keys of one part of the range after the other.
  ///
  /// @return the number of keys removed
  /// @throws TransactionTooLargeException if the keys need more of the heap than one transaction
  ///   may
  long deleteRange(Range range);

  /// Removes every key, in one commit, which names each: for a space of more keys than memory
  /// holds, which is refused as by [#deleteRange(Range)], [Store#dropSpace(String)] is the way.
  ///
  /// @return the number of keys removed
  /// @since 1.0
  default long clear() {
    return deleteRange(Range.all());
  }

  /// The entry of the least key of `range`, or null if there is none.
  ///
  /// @since 1.0
  default @Nullable Entry first(Range range) {
    try (Cursor cursor = cursor(range)) {
      return cursor.first() ? cursor.entry() : null;
    }
  }

  /// The entry of the greatest key of `range`, or null if there is none.
  ///
  /// @since 1.0
  default @Nullable Entry last(Range range) {
    try (Cursor cursor = cursor(range)) {
      return cursor.last() ? cursor.entry() : null;
    }
  }

  /// A cursor over the live space, weakly consistent, which begins before the first key of `range`.
  Cursor cursor(Range range);

  /// The entries of `range` in key order, weakly consistent.
  Iterable<Entry> scan(Range range);

  /// The entries of `range` as of now, in key order, as a stream over a snapshot of its own: see
  /// [Snapshot#stream(Space, Range)]. Close it; that closes the snapshot.
  Stream<Entry> stream(Range range);

  /// The number of keys in `range`, as of one point in the commit order.
  long count(Range range);

  /// About how many bytes the keys and values of `range` take on disk, from page sizes alone,
  /// without reading a leaf.
  long approximateBytes(Range range);

  /// Figures of the space as of now, cheap enough to poll: takes no snapshot and reads few pages.
  SpaceStatistics statistics();
}
