package io.varve.query.internal.access;

import io.varve.IndexedSpace;
import io.varve.ReadView;
import io.varve.Space;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;

/// The indexes that one read may use.
///
/// - (READABLE-1) Each is looked up once, by its definition, and read as the space that was found
///   then. So what was planned is what is read, whatever gets the name of an index in between.
/// - (READABLE-2) The entries of an index that is dropped during the read are refused, not missing:
///   the read begins again without it ([#read(Supplier)]).
///
/// For one read, and one thread.
final class ReadableIndexes {
  private final IndexedSpace indexed;
  private final ReadView view;
  private final List<IndexForm> order;
  private final IdentityHashMap<IndexForm, Found> found = new IdentityHashMap<>();

  private record Found(KeptIndex index, Space entries) {}

  ReadableIndexes(IndexedSpace indexed, List<KeptIndex> indexes, ReadView view) {
    this.indexed = indexed;
    this.view = view;
    this.order = indexes.stream().map(KeptIndex::form).toList();
    for (KeptIndex index : indexes) {
      Space entries = indexed.entries(index, view);
      if (entries != null) {
        found.put(index.form(), new Found(index, entries));
      }
    }
  }

  ReadView view() {
    return view;
  }

  /// What the indexes are made of that are usable now.
  List<IndexForm> forms() {
    return order.stream().filter(found::containsKey).toList();
  }

  /// The space with the entries of an index that is usable.
  Space entries(IndexForm index) {
    Found usable = found.get(index);
    if (usable == null) {
      throw new IllegalStateException("the index is not usable: index=" + index.name());
    }
    return usable.entries();
  }

  /// Reads, again if an index was dropped then.
  <T> T read(Supplier<T> reading) {
    while (true) {
      try {
        return reading.get();
      } catch (IllegalStateException e) {
        if (!forgetDropped()) {
          throw e;
        }
      }
    }
  }

  /// Leaves out what was dropped since it was looked up.
  ///
  /// @return whether there was any
  @SuppressWarnings("ReferenceEquality") // each space is itself alone
  boolean forgetDropped() {
    return found
        .values()
        .removeIf(usable -> indexed.entries(usable.index(), view) != usable.entries());
  }
}
