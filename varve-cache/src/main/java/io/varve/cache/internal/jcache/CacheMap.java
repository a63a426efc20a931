package io.varve.cache.internal.jcache;

import io.varve.cache.VarveCache;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/// A cache as a map. What is no key or value of the types that the cache declares is not in it.
final class CacheMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private final VarveCache<K, V> cache;
  private final Class<K> keyType;
  private final Class<V> valueType;

  CacheMap(VarveCache<K, V> cache) {
    this.cache = cache;
    Configuration<K, V> configuration = configuration(cache);
    this.keyType = configuration.getKeyType();
    this.valueType = configuration.getValueType();
  }

  @SuppressWarnings("unchecked") // every configuration is one
  private static <K, V> Configuration<K, V> configuration(VarveCache<K, V> cache) {
    return cache.getConfiguration(Configuration.class);
  }

  private boolean isKey(Object object) {
    return keyType.isInstance(Objects.requireNonNull(object, "key"));
  }

  private boolean isValue(Object object) {
    return valueType.isInstance(Objects.requireNonNull(object, "value"));
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, cache.size());
  }

  @Override
  public boolean containsKey(Object key) {
    return isKey(key) && cache.containsKey(keyType.cast(key));
  }

  @Override
  public @Nullable V get(Object key) {
    return isKey(key) ? cache.get(keyType.cast(key)) : null;
  }

  @Override
  public @Nullable V put(K key, V value) {
    return cache.getAndPut(key, value);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    cache.putAll(map);
  }

  @Override
  public @Nullable V remove(Object key) {
    return isKey(key) ? cache.getAndRemove(keyType.cast(key)) : null;
  }

  @Override
  public void clear() {
    cache.removeAll();
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    while (true) {
      V present = cache.get(key);
      if (present != null) {
        return present;
      }
      if (cache.putIfAbsent(key, value)) {
        return null;
      }
    }
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    return isKey(key)
        && value != null
        && isValue(value)
        && cache.remove(keyType.cast(key), valueType.cast(value));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return cache.replace(key, oldValue, newValue);
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return cache.getAndReplace(key, value);
  }

  @Override
  public Set<K> keySet() {
    return new Keys();
  }

  private abstract class View<T> extends AbstractSet<T> {
    @Override
    public final int size() {
      return CacheMap.this.size();
    }

    @Override
    public final void clear() {
      CacheMap.this.clear();
    }
  }

  /// As that of [AbstractMap], whose `remove` looks through all keys.
  private final class Keys extends View<K> {
    @Override
    public boolean contains(Object key) {
      return containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
      return isKey(key) && cache.remove(keyType.cast(key));
    }

    @Override
    public Iterator<K> iterator() {
      return mapped(Cache.Entry::getKey);
    }
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Entries();
  }

  private final class Entries extends View<Entry<K, V>> {
    @Override
    public boolean contains(Object object) {
      return object instanceof Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && entry.getValue().equals(get(entry.getKey()));
    }

    @Override
    public boolean remove(Object object) {
      return object instanceof Entry<?, ?> entry
          && entry.getKey() != null
          && CacheMap.this.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return mapped(entry -> new WritableEntry(entry.getKey(), entry.getValue()));
    }
  }

  private <T> Iterator<T> mapped(Function<Cache.Entry<K, V>, T> mapping) {
    Iterator<Cache.Entry<K, V>> entries = cache.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public T next() {
        return mapping.apply(entries.next());
      }

      @Override
      public void remove() {
        entries.remove();
      }
    };
  }

  /// An entry as it was when it was met; setting its value puts it.
  private final class WritableEntry extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1;

    WritableEntry(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      put(getKey(), value);
      return super.setValue(value);
    }
  }
}
