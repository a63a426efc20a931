package io.varve.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// An application that knows nothing of Varve: methods whose answers are cached.
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCaching
class Shop {
  record Price(String isbn, int cents) implements Serializable {}

  record Author(String name, int born) {}

  record Book(String isbn, Author author, List<Author> others) {}

  /// What cannot be cached.
  static final class Connection {
    private final Thread thread;

    Connection(Thread thread) {
      this.thread = thread;
    }

    Thread thread() {
      return thread;
    }
  }

  static class Shelf {
    private int calls;

    int calls() {
      return calls;
    }

    @Cacheable("prices")
    Price price(String isbn) {
      calls++;
      return new Price(isbn, 1250);
    }

    @Cacheable("books")
    Book book(String isbn) {
      calls++;
      Author author = new Author("Ursula", 1929);
      return new Book(isbn, author, List.of(author));
    }

    @Cacheable("authors")
    @Nullable Author missing(String isbn, int edition) {
      calls++;
      return null;
    }

    @Cacheable("pages")
    Map<String, List<Book>> page(Author author) {
      calls++;
      return Map.of("all", List.of(book("1"), book("2")));
    }

    @Cacheable("connections")
    Connection connection(String isbn) {
      return new Connection(Thread.currentThread());
    }
  }

  @Bean
  Shelf shelf() {
    return new Shelf();
  }

  @Bean
  MeterRegistry registry() {
    return new SimpleMeterRegistry();
  }
}
