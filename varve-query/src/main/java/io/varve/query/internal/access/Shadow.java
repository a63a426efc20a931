package io.varve.query.internal.access;

import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Space;
import io.varve.Table;
import io.varve.query.Entity;
import io.varve.query.internal.expr.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a store has of the objects of one class: a row for each, with its key, and its indexes.
///
/// @param space of the rows; a change does not wait for the disk, since the rows are compared with
///   the objects whenever the indexes are opened
/// @param table of the keys
/// @param entity what the objects are
/// @param indexes of the rows
/// @param indexed what the engine keeps
/// @param <K> the keys
/// @param <V> the objects
public record Shadow<K, V>(
    Space space,
    Table<K, V> table,
    Entity<V> entity,
    List<ShadowIndex> indexes,
    IndexedSpace indexed) {
  /// Keeps these indexes from now on, and drops others: they were made of the objects, and can be
  /// made again.
  public static <K, V> Shadow<K, V> open(
      IndexedSpace indexed, Table<K, V> table, Entity<V> entity, List<ShadowIndex> indexes) {
    List<String> names = indexes.stream().map(ShadowIndex::name).toList();
    for (IndexStatus present : indexed.list()) {
      if (!names.contains(present.name())) {
        indexed.drop(present.name());
      }
    }
    indexed.keep(indexes, ProgressListener.none());
    Space space = indexed.space().with(Durability.BACKGROUND);
    return new Shadow<>(space, table, entity, indexes, indexed);
  }

  /// The row of an object, or null if it is of another class.
  byte @Nullable [] row(K key, @Nullable Object object) {
    if (!entity.type().isInstance(object)) {
      return null;
    }
    Scope scope = Scope.of(key, object);
    var row = new ShadowRow();
    for (ShadowIndex index : indexes) {
      row.add(index.form(), index.digest(), scope);
    }
    return row.toBytes();
  }
}
