package io.varve.cache.mapreduce;

import io.varve.Cursor;
import io.varve.cache.Marshaller;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// A run that was written to a spill, in records as [RunRecord] says. Holds a place in one leaf,
/// and one record.
///
/// @param <K> the keys
/// @param <V> the values
final class SpilledRun<K, V> implements SortedRun<K, V> {
  private final Cursor cursor;
  private final Marshaller<K> keys;
  private final Marshaller<V> values;
  private byte[] storedKey = {};

  /// The key of the record that the cursor is at; null before the first and behind the last.
  private byte @Nullable [] recordKey;

  /// Whether the cursor is behind all records of the current key.
  private boolean isBehind;

  /// @param cursor before the first record of the run
  SpilledRun(Cursor cursor, Marshaller<K> keys, Marshaller<V> values) {
    this.cursor = cursor;
    this.keys = keys;
    this.values = values;
  }

  @Override
  public boolean next() {
    boolean hasUntaken = true; // values of the current key
    while (hasUntaken) {
      hasUntaken = nextPart();
    }
    byte[] first = recordKey;
    if (first == null) {
      cursor.close();
      return false;
    }
    storedKey = RunRecord.storedKeyOf(first);
    isBehind = false;
    return true;
  }

  /// Moves to the next record.
  ///
  /// @return whether it belongs to the current key, too
  private boolean nextPart() {
    if (!isBehind) {
      recordKey = cursor.next() ? cursor.key() : null;
      isBehind = recordKey == null || !RunRecord.isPart(recordKey);
    }
    return !isBehind;
  }

  @Override
  public byte[] storedKey() {
    return storedKey;
  }

  @Override
  public K key() {
    return RunRecord.key(storedKey, cursor.value(), keys);
  }

  @Override
  public Iterator<V> values() {
    return new Values(RunRecord.values(storedKey, cursor.value()));
  }

  /// The values of the current key, record by record, each made when it is asked for.
  private final class Values implements Iterator<V> {
    private ByteBuffer left;

    Values(ByteBuffer first) {
      this.left = first;
    }

    @Override
    public boolean hasNext() {
      while (!left.hasRemaining() && nextPart()) {
        left = ByteBuffer.wrap(cursor.value());
      }
      return left.hasRemaining();
    }

    @Override
    public V next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more values");
      }
      return values.fromBytes(RunRecord.takePart(left));
    }
  }
}
