package io.varve.cache.internal.container;

import io.varve.cache.CacheEntry;
import io.varve.cache.Marshaller;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// An entry as of the point that a stream shows.
///
/// @param <K> the keys
/// @param <V> the values
abstract sealed class StreamedEntry<K, V> implements CacheEntry<K, V> {
  private @Nullable K key;
  private @Nullable V value;

  /// Whether it had ended by a time.
  abstract boolean isExpired(long nowMillis);

  abstract K makeKey();

  abstract V makeValue();

  @Override
  public final K getKey() {
    K made = key;
    if (made == null) {
      made = makeKey();
      key = made;
    }
    return made;
  }

  @Override
  public final V getValue() {
    V made = value;
    if (made == null) {
      made = makeValue();
      value = made;
    }
    return made;
  }

  @Override
  public final <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }

  /// An entry that was on the heap.
  static final class OnHeap<K, V> extends StreamedEntry<K, V> {
    private final Noted<K> noted;
    private final Marshaller<K> keys;
    private final ValueForm<V> values;

    OnHeap(Noted<K> noted, Marshaller<K> keys, ValueForm<V> values) {
      this.noted = noted;
      this.keys = keys;
      this.values = values;
    }

    @Override
    boolean isExpired(long nowMillis) {
      return noted.held().isExpired(nowMillis);
    }

    @Override
    K makeKey() {
      return values.key(new CacheKey<>(noted.key(), keys));
    }

    @Override
    V makeValue() {
      return values.load(noted.held().form());
    }

    @Override
    public MemorySegment valueBytes() {
      return MemorySegment.ofArray(values.bytes(noted.held().form())).asReadOnly();
    }

    @Override
    public long bytes() {
      return ValueForm.about(noted.key()) + values.weight(noted.held().form());
    }
  }

  /// An entry that was in pages, as [PageRecord] lays it out.
  static final class InPages<K, V> extends StreamedEntry<K, V> {
    private final byte[] storedKey;
    private final MemorySegment stored;
    private final Marshaller<K> keys;
    private final Marshaller<V> values;

    InPages(byte[] storedKey, byte[] stored, Marshaller<K> keys, Marshaller<V> values) {
      this.storedKey = storedKey;
      this.stored = MemorySegment.ofArray(stored).asReadOnly();
      this.keys = keys;
      this.values = values;
    }

    @Override
    boolean isExpired(long nowMillis) {
      return PageRecord.expiresAtMillis(stored) <= nowMillis;
    }

    @Override
    K makeKey() {
      return keys.fromBytes(PageRecord.keyBytes(storedKey, () -> stored));
    }

    @Override
    V makeValue() {
      return values.fromBytes(PageRecord.valueBytes(stored).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public MemorySegment valueBytes() {
      return PageRecord.valueBytes(stored);
    }

    @Override
    public long bytes() {
      return (long) storedKey.length + stored.byteSize();
    }
  }
}
