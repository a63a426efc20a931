package io.varve.query;

import io.varve.ReadView;
import io.varve.Store;
import io.varve.query.internal.access.TableAccess;
import org.jspecify.annotations.Nullable;

/// The objects of one class in a map or a cache, as queries find them:
/// [QueryMap#table(QueryTable)].
///
/// - **Answers** are the objects that the map gives: the same ones where it has objects. Each is
///   compared with the whole condition when it is read, so no answer is wrong. An object that is
///   what is asked for from the beginning of a query to its end is found once.
/// - **Order:** what changes while a query runs may be ordered by the values it had before.
/// - **Threads:** safe for as many as the map.
///
/// @param <K> the keys
/// @param <V> the objects
/// @since 1.0
public final class ObjectTable<K, V> extends Askable<K, V> {
  ObjectTable(Store store, TableAccess<K, V> access) {
    super(store, access);
  }

  /// Queries as text of these objects; [Queries#table(ObjectTable)] adds others of the same store.
  public Queries queries() {
    return Queries.of(store()).table(this);
  }

  @Override
  @Nullable ReadView view() {
    return null;
  }
}
