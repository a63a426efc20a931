package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// A run of records as [RunRecord] defines them, of a spill or of pages from elsewhere. Holds one
/// record, and the position of the next.
///
/// @param <K> the keys
/// @param <V> the values
public final class RecordRun<K, V> implements SortedRun<K, V> {
  private final Records records;
  private final Marshaller<K> keys;
  private final Marshaller<V> values;
  private byte[] storedKey = {};

  /// The key of the record that is current; null before the first and after the last.
  private byte @Nullable [] recordKey;

  /// Whether the current record is after all of the current key.
  private boolean isPast;

  /// @param records before the first of the run
  public RecordRun(Records records, Marshaller<K> keys, Marshaller<V> values) {
    this.records = records;
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
      records.close();
      return false;
    }
    storedKey = RunRecord.storedKeyOf(first);
    isPast = false;
    return true;
  }

  /// Moves to the next record.
  ///
  /// @return whether it belongs to the current key, too
  private boolean nextPart() {
    if (!isPast) {
      recordKey = records.next() ? records.key() : null;
      isPast = recordKey == null || !RunRecord.isPart(recordKey);
    }
    return !isPast;
  }

  @Override
  public byte[] storedKey() {
    return storedKey;
  }

  @Override
  public K key() {
    return RunRecord.key(storedKey, records.value(), keys);
  }

  @Override
  public Iterator<V> values() {
    return new Values(RunRecord.values(storedKey, records.value()));
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
        left = ByteBuffer.wrap(records.value());
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
