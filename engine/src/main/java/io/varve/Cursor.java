package io.varve;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/// A position in an ordered range of keys, which moves both ways. It is before the first entry, on
/// an entry, or after the last. A move copies a leaf page privately, so that entries are read
/// without locks and are never torn.
///
/// A cursor of a [Snapshot] or [Transaction] shows one point in the commit order. A cursor of a
/// [Space] is weakly consistent: each leaf is read atomically, keys come in order, none twice, and
/// what is committed concurrently may or may not be seen.
///
/// For one thread at a time. After [#close()], or the close of what it came from, every use is a
/// [StoreClosedException].
///
/// @since 1.0
public interface Cursor extends AutoCloseable {
  /// Moves to the first entry of the range.
  ///
  /// @return false if the range is empty; then the cursor is after the last
  boolean first();

  /// Moves to the last entry of the range.
  ///
  /// @return false if the range is empty; then the cursor is before the first
  boolean last();

  /// Moves to the least entry of the range whose key is at least `key`.
  ///
  /// @return false if there is none; then the cursor is after the last
  boolean seek(byte[] key);

  /// Moves to the greatest entry of the range whose key is at most `key`.
  ///
  /// @return false if there is none; then the cursor is before the first
  boolean seekFloor(byte[] key);

  /// Moves to the next entry, or to the first if the cursor is before it.
  ///
  /// @return false if there is none; then the cursor is after the last
  boolean next();

  /// Moves to the previous entry, or to the last if the cursor is after it.
  ///
  /// @return false if there is none; then the cursor is before the first
  boolean previous();

  /// A copy of the current key.
  ///
  /// @throws IllegalStateException if the cursor is on no entry
  byte[] key();

  /// A copy of the current value.
  byte[] value();

  /// A copy of the current entry.
  default Entry entry() {
    return new Entry(key(), value());
  }

  /// Copies the current key into `target` from index 0, as much as fits. Allocates nothing.
  ///
  /// @return the length of the key in bytes
  int readKey(byte[] target);

  /// Copies the current value into `target` from index 0, as much as fits. Allocates nothing unless
  /// the value is large.
  ///
  /// @return the length of the value in bytes
  int readValue(byte[] target);

  /// The length of the current value in bytes; reads nothing from disk.
  int valueLength();

  /// The current value without a copy: read-only, valid until the cursor moves or closes.
  MemorySegment valueSegment();

  /// The current value as a stream, which holds no more than a chunk of a large value at a time.
  /// Valid until the cursor closes, however it moves.
  InputStream valueStream();

  /// Ends the cursor. Idempotent.
  @Override
  void close();
}
