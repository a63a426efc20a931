package io.varve.cache.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;

/// An entity with all that Hibernate keeps regions for.
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
@NaturalIdCache
class Book {
  @Id long id;
  @Version int version;
  @NaturalId String isbn;
  String title;
  BigDecimal price = BigDecimal.TEN;
  LocalDate printed = LocalDate.of(2026, 1, 2);
  @ManyToOne Author author;

  @ElementCollection
  @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
  List<String> words = new ArrayList<>();

  Book() {}

  Book(long id, String title, Author author) {
    this.id = id;
    this.isbn = "isbn " + id;
    this.title = title;
    this.author = author;
    words.add("layer");
  }
}
