package example.library;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/// What is slow to find, and therefore cached.
@Service
class Catalogue {
  private final AtomicLong lookups = new AtomicLong();

  @Cacheable("books")
  public Book book(String isbn) {
    lookups.incrementAndGet();
    return new Book(isbn, "A book of number " + isbn, List.of(new Author("Ursula", 1929)));
  }

  /// Empty if nobody has heard of the author; that is cached as well, as null.
  @Cacheable("authors")
  public Optional<Author> author(String name) {
    lookups.incrementAndGet();
    return name.equals("Ursula") ? Optional.of(new Author(name, 1929)) : Optional.empty();
  }

  /// How often something had to be looked up since the application started.
  public long lookups() {
    return lookups.get();
  }
}
