package io.varve.infinispan;

import java.lang.foreign.MemorySegment;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;

/// An entry as a [VarveStore] holds it. Key and value are unmarshalled when they are asked for,
/// each time. Holds all that it shows, and so outlives its stream. Safe for threads.
///
/// @param <K> the keys, as Infinispan stores them
/// @param <V> the values, likewise
public final class StoredEntry<K, V> {
  private final ByteBuffer key;
  private final ByteBuffer value;
  private final MarshallableEntryFactory<K, V> factory;

  StoredEntry(ByteBuffer key, ByteBuffer value, MarshallableEntryFactory<K, V> factory) {
    this.key = key;
    this.value = value;
    this.factory = factory;
  }

  /// The key.
  public K key() {
    return unmarshalled().getKey();
  }

  /// The value.
  public V value() {
    return unmarshalled().getValue();
  }

  private MarshallableEntry<K, V> unmarshalled() {
    return factory.create(key, value);
  }

  /// The value as Infinispan marshalled it, read-only and not copied.
  public MemorySegment valueBytes() {
    return MemorySegment.ofArray(value.getBuf())
        .asSlice(value.getOffset(), value.getLength())
        .asReadOnly();
  }

  /// The bytes of key and value as marshalled.
  public long bytes() {
    return (long) key.getLength() + value.getLength();
  }
}
