package io.varve.spring.guide;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;

@SpringBootApplication
@EnableCaching
class BookShop {
  record Book(String isbn, String title) {}

  @Cacheable("books")
  public Book book(String isbn) { // runs once for each book, also after a restart
    return new Book(isbn, "as a slow catalogue has it");
  }
}
