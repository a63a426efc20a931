package io.varve.query;

import io.varve.Store;
import io.varve.query.internal.access.ObjectIndex;
import io.varve.query.internal.access.ObjectSource;
import io.varve.query.internal.access.Shadow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The classes of objects in one map or cache: by the names of their tables.
///
/// @param index of all of them
/// @param definitions by name
/// @param tables by name
record ObjectTables<K>(
    ObjectIndex<K> index,
    Map<String, QueryTable<K, ?>> definitions,
    Map<String, ObjectTable<K, ?>> tables) {
  static <K> ObjectTables<K> open(
      Store store, Iterable<? extends QueryTable<K, ?>> definitions, ObjectSource<K> source) {
    Map<String, QueryTable<K, ?>> byName = new LinkedHashMap<>();
    for (QueryTable<K, ?> definition : definitions) {
      if (byName.put(definition.table().name(), definition) != null) {
        throw new IllegalArgumentException(
            "two tables of objects have one name: table=" + definition.table().name());
      }
    }
    List<Shadow<K, ?>> shadows = new ArrayList<>();
    Map<String, ObjectTable<K, ?>> tables = new LinkedHashMap<>();
    for (QueryTable<K, ?> definition : byName.values()) {
      open(store, definition, source, shadows, tables);
    }
    return new ObjectTables<>(new ObjectIndex<>(store, shadows), byName, tables);
  }

  private static <K, V> void open(
      Store store,
      QueryTable<K, V> definition,
      ObjectSource<K> source,
      List<Shadow<K, ?>> shadows,
      Map<String, ObjectTable<K, ?>> tables) {
    Shadow<K, V> shadow = definition.shadow(store);
    shadows.add(shadow);
    tables.put(definition.table().name(), definition.over(shadow, source));
  }

  @SuppressWarnings("unchecked") // the table was made of this definition
  <T> ObjectTable<K, T> find(QueryTable<K, T> definition) {
    String name = definition.table().name();
    ObjectTable<K, ?> table = tables.get(name);
    if (table == null || definitions.get(name) != definition) {
      throw new IllegalArgumentException(
          "the objects were not opened with this table: table="
              + name
              + ", opened="
              + definitions.keySet());
    }
    return (ObjectTable<K, T>) table;
  }
}
