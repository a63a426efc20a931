package io.varve.query.internal.entity;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// A component of a record, a field or a getter of a class.
///
/// @param isKey whether it has the annotation of keys
record Member(String name, Type type, Step getter, boolean isKey) {
  /// One step of a path: from an object to what it has.
  interface Step {
    @Nullable Object of(Object object);
  }
}
