package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.Cursor;
import io.varve.Entry;
import io.varve.StoreClosedException;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.TreeCursor;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A user's cursor over one tree.
final class EntryCursor implements Cursor {
  private final TreeCursor cursor;
  private final LargeReads largeReads;
  private final Runnable requireUsable;
  private boolean closed;

  /// How the large values of the entries are read.
  interface LargeReads {
    /// The value, or null if the entry is gone.
    byte @Nullable [] value(byte[] key, byte[] reference);

    /// The value as a stream, or null if the entry is gone.
    @Nullable InputStream stream(byte[] key, byte[] reference);

    /// Reads where nothing that the cursor shows can be reused.
    ///
    /// @param requireHeld throws if it can be by now
    static LargeReads ofFixed(PageFile file, Runnable requireHeld) {
      return new LargeReads() {
        @Override
        public byte[] value(byte[] key, byte[] reference) {
          try {
            return LargeValues.read(file, reference);
          } catch (CorruptStoreException e) {
            requireHeld.run();
            throw file.damaged(e);
          }
        }

        @Override
        public InputStream stream(byte[] key, byte[] reference) {
          return LargeValues.open(file, reference);
        }
      };
    }
  }

  /// @param requireUsable throws if what the cursor came from was closed
  EntryCursor(TreeCursor cursor, LargeReads largeReads, Runnable requireUsable) {
    this.cursor = cursor;
    this.largeReads = largeReads;
    this.requireUsable = requireUsable;
  }

  /// @throws StoreClosedException if the cursor or what it came from was closed
  void requireOpen() {
    if (closed) {
      throw new StoreClosedException("the cursor is closed");
    }
    requireUsable.run();
  }

  /// Throws as [#requireOpen()] does, for what was read before the call, in place of any other
  /// failure: a snapshot that another thread closed during a read no longer keeps its pages as they
  /// were.
  private void requireStillUsable() {
    VarHandle.loadLoadFence();
    requireUsable.run();
  }

  private <T> T stillUsable(T read) {
    requireStillUsable();
    return read;
  }

  private void requireEntry() {
    requireOpen();
    if (!cursor.isOnEntry()) {
      throw standsOnNoEntry();
    }
  }

  static IllegalStateException standsOnNoEntry() {
    return new IllegalStateException(
        "the cursor stands on no entry; move it and look at the result first");
  }

  @Override
  public boolean first() {
    requireOpen();
    try {
      return cursor.first();
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public boolean last() {
    requireOpen();
    try {
      return cursor.last();
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public boolean seek(byte[] key) {
    requireOpen();
    try {
      return cursor.seek(key);
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public boolean seekFloor(byte[] key) {
    requireOpen();
    try {
      return cursor.seekBelow(Arrays.copyOf(key, key.length + 1));
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public boolean next() {
    requireOpen();
    try {
      return cursor.next();
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public boolean previous() {
    requireOpen();
    try {
      return cursor.previous();
    } finally {
      requireStillUsable();
    }
  }

  @Override
  public byte[] key() {
    requireEntry();
    return stillUsable(LeafPage.key(cursor.page(), cursor.index()));
  }

  @Override
  public byte[] value() {
    return requirePresent(valueIfPresent());
  }

  private byte @Nullable [] valueIfPresent() {
    requireEntry();
    byte[] stored = stillUsable(LeafPage.value(cursor.page(), cursor.index()));
    return isLarge() ? largeReads.value(key(), stored) : stored;
  }

  private static <T> T requirePresent(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException(
          "the entry was deleted after the cursor came to it; move the cursor on");
    }
    return value;
  }

  /// The current entry, or null if it is gone from the live tree and so is its large value.
  @Nullable Entry entryIfPresent() {
    byte[] value = valueIfPresent();
    return value == null ? null : new Entry(key(), value);
  }

  private boolean isLarge() {
    return LeafPage.isLarge(cursor.page(), cursor.index());
  }

  @Override
  public int readKey(byte[] target) {
    requireEntry();
    int length = LeafPage.readKey(cursor.page(), cursor.index(), target);
    requireStillUsable();
    return length;
  }

  @Override
  public int readValue(byte[] target) {
    requireEntry();
    byte[] page = cursor.page();
    int index = cursor.index();
    if (isLarge()) {
      byte[] value = value();
      System.arraycopy(value, 0, target, 0, Math.min(value.length, target.length));
      return value.length;
    }
    int length = LeafPage.valueLength(page, index);
    System.arraycopy(
        page, LeafPage.valueOffset(page, index), target, 0, Math.min(length, target.length));
    requireStillUsable();
    return length;
  }

  @Override
  public int valueLength() {
    requireEntry();
    byte[] page = cursor.page();
    int index = cursor.index();
    int length =
        isLarge()
            ? (int) LargeReference.length(page, LeafPage.valueOffset(page, index))
            : LeafPage.valueLength(page, index);
    requireStillUsable();
    return length;
  }

  @Override
  public MemorySegment valueSegment() {
    requireEntry();
    byte[] page = cursor.page();
    int index = cursor.index();
    MemorySegment segment =
        isLarge()
            ? MemorySegment.ofArray(value())
            : MemorySegment.ofArray(page)
                .asSlice(LeafPage.valueOffset(page, index), LeafPage.valueLength(page, index));
    return segment.asReadOnly();
  }

  @Override
  public InputStream valueStream() {
    requireEntry();
    byte[] stored = stillUsable(LeafPage.value(cursor.page(), cursor.index()));
    return isLarge()
        ? requirePresent(largeReads.stream(key(), stored))
        : new ByteArrayInputStream(stored);
  }

  @Override
  public void close() {
    closed = true;
  }
}
