package io.varve.spring.guide;

import io.varve.spring.guide.BookShop.Book;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.springframework.stereotype.Component;

@Component
class Titles implements CacheLoader<String, Book>, CacheWriter<String, Book> {
  private final Map<String, Book> rows = new ConcurrentHashMap<>();

  @Override
  public Book load(String isbn) {
    return rows.get(isbn);
  }

  @Override
  public Map<String, Book> loadAll(Iterable<? extends String> keys) {
    Map<String, Book> loaded = new HashMap<>();
    keys.forEach(isbn -> loaded.put(isbn, load(isbn)));
    return loaded;
  }

  @Override
  public void write(Cache.Entry<? extends String, ? extends Book> entry) {
    rows.put(entry.getKey(), entry.getValue());
  }

  @Override
  public void writeAll(Collection<Cache.Entry<? extends String, ? extends Book>> entries) {
    entries.forEach(this::write);
    entries.clear();
  }

  @Override
  public void delete(Object isbn) {
    rows.remove(isbn);
  }

  @Override
  public void deleteAll(Collection<?> keys) {
    keys.forEach(this::delete);
    keys.clear();
  }
}
