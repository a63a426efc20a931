package io.varve.query;

import io.varve.OrderedMap;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Store;
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
  private final @Nullable ReadView view;

  Queryable(Store store, TableAccess<K, V> access, @Nullable ReadView view) {
    super(store, access);
    this.view = view;
  }

  /// The table as a map: of the store, the transaction or the snapshot.
  public OrderedMap<K, V> map() {
    return view == null ? store().open(access().table()) : view.open(access().table());
  }

  /// This table as a snapshot shows it.
  public Queryable<K, V> in(Snapshot snapshot) {
    return new Queryable<>(store(), access(), snapshot);
  }

  /// This table as part of a transaction.
  public Queryable<K, V> in(Transaction transaction) {
    return new Queryable<>(store(), access(), transaction);
  }

  @Override
  @Nullable ReadView view() {
    return view;
  }
}
