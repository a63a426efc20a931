package io.varve.query.internal.access;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The objects of a map or a cache as the rows of one query. What is sorted by bytes holds a number
/// in place of an object. So the object that was compared is the one that is given.
///
/// For one thread.
final class HeldRows<K, V> implements RowValues<K, V> {
  private final RowCodec<K, V> codec;
  private final Class<V> type;
  private final ObjectSource<K> source;
  private final List<V> held = new ArrayList<>();

  HeldRows(RowCodec<K, V> codec, Class<V> type, ObjectSource<K> source) {
    this.codec = codec;
    this.type = type;
    this.source = source;
  }

  @Override
  public K key(byte[] key) {
    return codec.key(key);
  }

  /// The object of a key as it is now, or null if there is none of the class.
  @Nullable V find(K key) {
    Object found = source.find(key);
    return type.isInstance(found) ? type.cast(found) : null;
  }

  /// Bytes that stand for an object in this query.
  byte[] hold(V value) {
    held.add(value);
    return ByteBuffer.allocate(Integer.BYTES).putInt(held.size() - 1).array();
  }

  @Override
  public V value(byte[] key, byte[] value) {
    return held.get(ByteBuffer.wrap(value).getInt());
  }
}
