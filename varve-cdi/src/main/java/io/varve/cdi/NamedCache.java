package io.varve.cdi;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;

import jakarta.enterprise.util.Nonbinding;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Injects a cache by its name: `@Inject @NamedCache("books") Cache<String, Book> books`.
///
/// It is the one of the cache manager that is a bean. A cache that the manager does not have is
/// made, with the defaults of the manager and the two types, if both are classes.
///
/// @since 1.0
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({FIELD, METHOD, PARAMETER})
public @interface NamedCache {
  /// The name of the cache.
  ///
  /// @return the name
  @Nonbinding
  String value();
}
