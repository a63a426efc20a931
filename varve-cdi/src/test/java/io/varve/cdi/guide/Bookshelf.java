package io.varve.cdi.guide;

import io.varve.cdi.NamedCache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import javax.cache.Cache;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheResult;

@ApplicationScoped
class Bookshelf {
  record Book(String isbn, String title) {}

  @Inject
  @NamedCache("figures")
  Cache<String, Integer> figures; // a cache as it is

  @CacheResult(cacheName = "books")
  Book book(String isbn) { // runs once for each book, also after a restart
    figures.invoke(
        "lookups",
        (entry, _) -> {
          entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
          return null;
        });
    return new Book(isbn, "as a slow catalogue has it");
  }

  int lookups() {
    return figures.get("lookups");
  }

  @CacheRemove(cacheName = "books")
  void returned(String isbn) {}
}
