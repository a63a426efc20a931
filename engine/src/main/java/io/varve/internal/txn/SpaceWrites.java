package io.varve.internal.txn;

import io.varve.internal.tree.Changes;
import io.varve.internal.wal.RecordSink;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a transaction writes to one space. Kept in the order given, and sorted when the commit
/// needs it; an index by key exists once the transaction reads what it wrote.
///
/// For one thread at a time.
final class SpaceWrites implements Changes {
  private record Write(byte[] key, @Nullable NewValue value, int order) {}

  private final LiveSpace space;
  private Write[] writes = new Write[16];
  private int size;
  private boolean sorted = true;
  private @Nullable NavigableMap<byte[], @Nullable NewValue> index;

  SpaceWrites(LiveSpace space) {
    this.space = space;
  }

  LiveSpace space() {
    return space;
  }

  /// Adds a put, or a delete if `value` is null. The arrays belong to this object from now on.
  void add(byte[] key, @Nullable NewValue value) {
    if (size == writes.length) {
      writes = Arrays.copyOf(writes, size * 2);
    }
    sorted &= size == 0 || Arrays.compareUnsigned(writes[size - 1].key, key) < 0;
    writes[size] = new Write(key, value, size);
    size++;
    NavigableMap<byte[], @Nullable NewValue> present = index;
    if (present != null) {
      present.put(key, value);
    }
  }

  /// The writes by key: the last of each.
  NavigableMap<byte[], @Nullable NewValue> index() {
    NavigableMap<byte[], @Nullable NewValue> present = index;
    if (present == null) {
      present = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < size; i++) {
        present.put(writes[i].key, writes[i].value);
      }
      index = present;
    }
    return present;
  }

  /// Brings the writes into key order, the last of each key alone.
  void sort() {
    if (sorted) {
      return;
    }
    Arrays.sort(
        writes,
        0,
        size,
        (a, b) -> {
          int order = Arrays.compareUnsigned(a.key, b.key);
          return order != 0 ? order : Integer.compare(a.order, b.order);
        });
    int kept = 0;
    for (int i = 0; i < size; i++) {
      boolean last = i + 1 == size || !Arrays.equals(writes[i].key, writes[i + 1].key);
      if (last) {
        writes[kept++] = writes[i];
      } else {
        giveBack(writes[i]);
      }
    }
    Arrays.fill(writes, kept, size, null);
    size = kept;
    sorted = true;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte[] key(int i) {
    return writes[i].key;
  }

  @Override
  public byte @Nullable [] value(int i) {
    NewValue value = writes[i].value;
    return value == null ? null : value.stored().bytes();
  }

  @Override
  public int tag(int i) {
    NewValue value = writes[i].value;
    return value == null ? 0 : value.tag();
  }

  /// Gives back the extents of large values, which nothing will refer to.
  void giveBack() {
    for (int i = 0; i < size; i++) {
      giveBack(writes[i]);
    }
  }

  private void giveBack(Write write) {
    NewValue value = write.value;
    if (value != null && value.stored().large()) {
      space.largeValues().giveBack(value.stored().bytes());
    }
  }

  long bodyBytes() {
    long bytes = 0;
    for (int i = 0; i < size; i++) {
      NewValue value = writes[i].value;
      byte[] key = writes[i].key;
      bytes +=
          value == null ? LogRecord.deleteBytes(space.id(), key) : value.bodyBytes(space.id(), key);
    }
    return bytes;
  }

  void write(RecordSink sink) {
    for (int i = 0; i < size; i++) {
      NewValue value = writes[i].value;
      if (value == null) {
        LogRecord.delete(sink, space.id(), writes[i].key);
      } else {
        value.write(sink, space.id(), writes[i].key);
      }
    }
  }
}
