package io.varve.cdi;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;

import jakarta.enterprise.util.Nonbinding;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Injects a cache by its name: `@Inject @NamedCache("figures") Cache<String, Integer> figures`.
///
/// It is the one of the cache manager that is a bean. A cache that the manager does not have is
/// made, with default options and the two types, if both are classes. A cache of annotated methods
/// has keys that are made of their parameters, and not the parameters themselves.
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
