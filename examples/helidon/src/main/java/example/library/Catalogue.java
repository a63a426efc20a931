package example.library;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheResult;

/// What is slow to find, and therefore cached.
@ApplicationScoped
public class Catalogue {
  private final AtomicLong lookups = new AtomicLong();

  /// Looks a book up. An answer is kept: no book is looked up twice.
  @CacheResult(cacheName = "books")
  public Book book(String isbn) {
    lookups.incrementAndGet();
    return new Book(isbn, "A book of number " + isbn);
  }

  /// Has the next call look the book up again.
  @CacheRemove(cacheName = "books")
  public void changed(String isbn) {}

  /// How often something had to be looked up since the service started.
  public long lookups() {
    return lookups.get();
  }
}
