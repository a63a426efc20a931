package io.varve.cache;

import java.util.Collection;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;

/// Writes the entries of a cache to a map.
public class MapWriter<V> implements CacheWriter<String, V> {
  private final Map<String, V> rows;

  public MapWriter(Map<String, V> rows) {
    this.rows = rows;
  }

  @Override
  public void write(Cache.Entry<? extends String, ? extends V> entry) {
    rows.put(entry.getKey(), entry.getValue());
  }

  @Override
  public final void writeAll(Collection<Cache.Entry<? extends String, ? extends V>> entries) {
    entries.forEach(this::write);
    entries.clear();
  }

  @Override
  public final void delete(Object key) {
    rows.remove(key);
  }

  @Override
  public final void deleteAll(Collection<?> keys) {
    keys.forEach(this::delete);
    keys.clear();
  }
}
