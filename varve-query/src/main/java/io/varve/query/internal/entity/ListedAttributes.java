package io.varve.query.internal.entity;

import io.varve.query.Attribute;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Attributes that a program lists. They read objects and change none.
///
/// @param <V> the objects
public final class ListedAttributes<V> implements Attributes<V> {
  private final Map<String, Attribute<V, ?>> byPath = new LinkedHashMap<>();

  /// These attributes.
  public ListedAttributes(List<Attribute<V, ?>> attributes) {
    for (Attribute<V, ?> attribute : attributes) {
      if (byPath.put(attribute.path(), attribute) != null) {
        throw new IllegalArgumentException("two attributes have one path: " + attribute.path());
      }
    }
  }

  @Override
  public @Nullable Attribute<V, ?> find(String path) {
    return byPath.get(path);
  }

  @Override
  public List<Attribute<V, ?>> list() {
    return List.copyOf(byPath.values());
  }

  @Override
  public V with(V object, Map<String, @Nullable Object> values) {
    throw new IllegalArgumentException(
        "attributes that a program lists cannot be changed by a query; make the entity by its"
            + " class");
  }
}
