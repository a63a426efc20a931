package io.varve.query;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Asks for an index of a component of a record, of a field or of what a getter returns. It is read
/// once, when a table of queries is made.
///
/// @since 1.0
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD})
public @interface Indexed {
  /// Whether no two objects may have the same value.
  boolean unique() default false;

  /// Whether greater values come first.
  boolean descending() default false;
}
