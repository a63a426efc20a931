package io.varve.query.internal.entity;

import io.varve.query.Attribute;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The attributes of objects of one kind.
///
/// @param <V> the objects
public interface Attributes<V> {
  /// The attribute of a path, or null if there is none.
  @Nullable Attribute<V, ?> find(String path);

  /// The attributes that are known before they are asked for.
  List<Attribute<V, ?>> list();

  /// An object like another one, with other values at some paths.
  ///
  /// @throws IllegalArgumentException if a path cannot be changed, or a value does not fit
  V with(V object, Map<String, @Nullable Object> values);

  /// The same, for an object that others have.
  ///
  /// @param undo takes what sets values back if the object itself was changed, in the order to run
  ///   it; also if this throws
  default V with(V object, Map<String, @Nullable Object> values, List<Runnable> undo) {
    return with(object, values);
  }

  /// Refuses what [#with] would refuse. Changes nothing.
  ///
  /// @throws IllegalArgumentException if a path cannot be changed, or a value does not fit
  default void check(V object, Map<String, @Nullable Object> values) {
    V _ = with(object, values); // a copy, unless a class overrides both
  }
}
