package io.varve.query;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the indexes that a class asks for by [Indexed].
final class AnnotatedIndexes {
  private AnnotatedIndexes() {}

  static <V> List<QueryIndex<V>> of(Entity<V> entity) {
    List<QueryIndex<V>> indexes = new ArrayList<>();
    for (Attribute<V, ?> attribute : entity.attributes()) {
      Indexed asked = find(entity.type(), attribute.path());
      if (asked != null) {
        Order<V> order = asked.descending() ? attribute.desc() : attribute.asc();
        QueryIndex<V> index = QueryIndex.ofParts(List.of(order));
        indexes.add(asked.unique() ? index.unique() : index);
      }
    }
    return indexes;
  }

  /// The annotation of a component, a field or a getter of that name.
  private static @Nullable Indexed find(Class<?> owner, String name) {
    if (owner.isRecord()) {
      for (RecordComponent component : owner.getRecordComponents()) {
        if (component.getName().equals(name) && component.isAnnotationPresent(Indexed.class)) {
          return component.getAnnotation(Indexed.class);
        }
      }
    }
    for (Class<?> type = owner; type != null && type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name) && field.isAnnotationPresent(Indexed.class)) {
          return field.getAnnotation(Indexed.class);
        }
      }
    }
    return ofGetter(owner, name);
  }

  private static @Nullable Indexed ofGetter(Class<?> owner, String name) {
    if (name.isEmpty()) {
      return null;
    }
    String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    Set<String> getters = Set.of(name, "get" + capital, "is" + capital);
    for (Method method : owner.getMethods()) {
      boolean isGetter = method.getParameterCount() == 0 && getters.contains(method.getName());
      if (isGetter && method.isAnnotationPresent(Indexed.class)) {
        return method.getAnnotation(Indexed.class);
      }
    }
    return null;
  }
}
