package io.varve.query.internal.access;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rows in the order of their positions, out of a sorter, which it closes.
final class SortedRows<K, V> implements RowStream<K, V> {
  private final RowValues<K, V> values;
  private final SortedRun run;
  private byte[] keyBytes = {};
  private byte[] valueBytes = {};

  SortedRows(RowValues<K, V> values, SortedRun run) {
    this.values = values;
    this.run = run;
  }

  /// Sorts all rows of a source that come after a position, and closes it.
  static <K, V> SortedRows<K, V> of(
      RowSource<K, V> source,
      RowValues<K, V> values,
      SortForm form,
      byte @Nullable [] after,
      KeySorter sorter) {
    try (source) {
      while (source.next()) {
        byte[] position = form.position(source.scope(), source.keyBytes());
        if (after == null || Arrays.compareUnsigned(position, after) > 0) {
          sorter.add(position, payload(source));
        }
      }
      return new SortedRows<>(values, sorter.sorted());
    } catch (RuntimeException | Error e) {
      sorter.close();
      throw e;
    }
  }

  static byte[] payload(RowSource<?, ?> source) {
    byte[] key = source.keyBytes();
    byte[] value = source.valueBytes();
    return ByteBuffer.allocate(Integer.BYTES + key.length + value.length)
        .putInt(key.length)
        .put(key)
        .put(value)
        .array();
  }

  @Override
  public boolean next() {
    if (!run.next()) {
      return false;
    }
    byte[] payload = run.payload();
    int keyEnd = Integer.BYTES + ByteBuffer.wrap(payload).getInt();
    keyBytes = Arrays.copyOfRange(payload, Integer.BYTES, keyEnd);
    valueBytes = Arrays.copyOfRange(payload, keyEnd, payload.length);
    return true;
  }

  @Override
  public byte[] keyBytes() {
    return keyBytes;
  }

  @Override
  public K key() {
    return values.key(keyBytes);
  }

  @Override
  public V value() {
    return values.value(keyBytes, valueBytes);
  }

  @Override
  public void close() {
    run.close();
  }
}
