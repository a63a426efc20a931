package io.varve.query;

import io.varve.OrderedMap;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.Transaction;
import io.varve.query.internal.access.TableAccess;
import org.jspecify.annotations.Nullable;

/// A table of a store that answers queries, by the indexes that it keeps: [QueryTable#open(Store)].
///
/// - **Isolation:** each query sees one point in the commit order, of rows and indexes alike.
///   [#in(Snapshot)] gives many queries the same one. In a transaction queries see its changes, and
///   what they read counts for conflicts, ranges of indexes too.
/// - **Changes** are made through [#map()], or in any other way: indexes follow in the same commit.
/// - **Threads:** safe for any number of threads; in a transaction for its thread.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class Queryable<K, V> extends Askable<K, V> {
  private static final byte[] ANY_KEY = {0};

  private final OrderedMap<K, V> map;
  private final @Nullable ReadView view;

  /// Makes one of a store.
  ///
  /// @param map of the store, with the space that `access` reads
  Queryable(Store store, TableAccess<K, V> access, OrderedMap<K, V> map) {
    this(store, access, map, null);
  }

  private Queryable(
      Store store, TableAccess<K, V> access, OrderedMap<K, V> map, @Nullable ReadView view) {
    super(store, access);
    this.map = map;
    this.view = view;
  }

  /// The table as a map: of the store, the transaction or the snapshot. It has the rows that
  /// queries find, also after the table was renamed.
  ///
  /// @throws IllegalStateException if the table was dropped; that of the store throws it when it is
  ///   used
  public OrderedMap<K, V> map() {
    if (view == null) {
      return map;
    }
    Space space = map.space();
    Table<K, V> table = access().table();
    while (true) { // as often as others rename the table at the same time
      space.contains(ANY_KEY); // refuses a space that was dropped, which opening would make again
      String name = space.name();
      if (space.equals(store().findSpace(name))) {
        OrderedMap<K, V> opened = view.open(Table.of(name, table.keys(), table.values()));
        if (opened.space().equals(space)) {
          return opened;
        }
      }
    }
  }

  /// This table as a snapshot shows it.
  public Queryable<K, V> in(Snapshot snapshot) {
    return new Queryable<>(store(), access(), map, snapshot);
  }

  /// This table as part of a transaction.
  public Queryable<K, V> in(Transaction transaction) {
    return new Queryable<>(store(), access(), map, transaction);
  }

  @Override
  @Nullable ReadView view() {
    return view;
  }
}
