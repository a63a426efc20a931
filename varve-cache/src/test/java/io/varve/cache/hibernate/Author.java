package io.varve.cache.hibernate;

import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/// An entity that is never changed.
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_ONLY)
class Author {
  @Id long id;
  String name;
  UUID mark = new UUID(1, 2);

  Author() {}

  Author(long id, String name) {
    this.id = id;
    this.name = name;
  }
}
