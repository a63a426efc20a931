package io.varve.query.internal.access;

import io.varve.IndexedSpace;
import io.varve.ReadView;
import io.varve.Space;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private final List<KeptIndex> indexes;

  /// Those that were looked up, with no entries if they are not usable.
  private final IdentityHashMap<IndexForm, Found> found = new IdentityHashMap<>();

  private record Found(KeptIndex index, @Nullable Space entries) {}

  ReadableIndexes(IndexedSpace indexed, List<KeptIndex> indexes, ReadView view) {
    this.indexed = indexed;
    this.view = view;
    this.indexes = indexes;
  }

  ReadView view() {
    return view;
  }

  /// What the indexes are made of.
  List<IndexForm> forms() {
    return indexes.stream().map(KeptIndex::form).toList();
  }

  /// Whether an index may be read.
  boolean isUsable(IndexForm index) {
    return look(index).entries() != null;
  }

  @SuppressWarnings("ReferenceEquality") // a form is compared by identity, as its parts are many
  private Found look(IndexForm form) {
    Found known = found.get(form);
    if (known != null) {
      return known;
    }
    for (KeptIndex index : indexes) {
      if (index.form() == form) {
        Found looked = new Found(index, indexed.entries(index, view));
        found.put(form, looked);
        return looked;
      }
    }
    throw new IllegalStateException("no index of this table: index=" + form.name());
  }

  /// The space with the entries of an index that is usable.
  Space entries(IndexForm index) {
    Space entries = look(index).entries();
    if (entries == null) {
      throw new IllegalStateException("the index is not usable: index=" + index.name());
    }
    return entries;
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
    boolean isAny = false;
    for (Map.Entry<IndexForm, Found> known : found.entrySet()) {
      Found usable = known.getValue();
      if (usable.entries() != null && indexed.entries(usable.index(), view) != usable.entries()) {
        known.setValue(new Found(usable.index(), null));
        isAny = true;
      }
    }
    return isAny;
  }
}
