package io.varve.internal.txn;

import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The indexes of one space, as they come and go: those that the store has, and the definitions
/// that the program has said.
///
/// - (INDEXES-1) An index that exists in the store is kept by each commit of the space, or the
///   space refuses to be changed.
/// - (INDEXES-2) A commit applies what it planned with the set of indexes that it saw, or not at
///   all: it compares the set inside the gate, after it has noted its change. A set changes before
///   an index is built. So what a commit without the index writes is in the snapshot that the index
///   is built from, since to take that shuts the gate.
///
/// Thread-safe. Its monitor is held for the time of a change of the set alone.
public final class IndexSet {
  /// The ids of the spaces with the entries, by the names of the indexes. Guarded by this.
  private final SortedMap<String, Integer> entries = new TreeMap<>();

  /// What the program has said. Guarded by this.
  private final Map<String, SpaceIndex> definitions = new TreeMap<>();

  private final Supplier<String> space;
  private final boolean isIndex;

  /// What commits look at; null if there are no indexes.
  private volatile @Nullable Indexing indexing;

  /// @param space gives the name of the space
  IndexSet(Supplier<String> space) {
    this.space = space;
    this.isIndex = IndexNames.isIndex(space.get());
    refresh();
  }

  /// What commits look at; null if there are no indexes.
  @Nullable Indexing indexing() {
    return indexing;
  }

  /// Whether the space still has the indexes that a commit saw.
  @SuppressWarnings("ReferenceEquality") // another set of indexes is another object
  boolean areStill(@Nullable Indexing seen) {
    return indexing == seen;
  }

  /// Notes the definition of an index, which exists or is about to.
  public synchronized void define(SpaceIndex definition) {
    definitions.put(definition.name(), definition);
    refresh();
  }

  /// The definition of an index that the program has said, or null.
  public synchronized @Nullable SpaceIndex definition(String name) {
    return definitions.get(name);
  }

  synchronized void added(String name, int entriesId) {
    entries.put(name, entriesId);
    refresh();
  }

  synchronized void removed(String name) {
    entries.remove(name);
    definitions.remove(name); // An index that gets the name may be another one.
    refresh();
  }

  synchronized void renamed(String name, String newName) {
    Integer id = entries.remove(name);
    SpaceIndex definition = definitions.remove(name);
    if (id != null) {
      entries.put(newName, id);
    }
    if (definition != null) {
      definitions.put(newName, definition);
    }
    refresh();
  }

  /// The id of the space with the entries of an index, or null if there is none.
  public synchronized @Nullable Integer entries(String name) {
    return entries.get(name);
  }

  /// The ids of the spaces with the entries, by the names of the indexes.
  public synchronized SortedMap<String, Integer> all() {
    return new TreeMap<>(entries);
  }

  private synchronized void refresh() {
    List<Indexing.Kept> kept = new ArrayList<>();
    List<String> unkept = new ArrayList<>();
    entries.forEach((name, id) -> {
      SpaceIndex definition = definitions.get(name);
      if (definition == null) {
        unkept.add(name);
      } else {
        kept.add(new Indexing.Kept(id, definition));
      }
    });
    indexing =
        entries.isEmpty() && !isIndex
            ? null
            : new Indexing(space.get(), List.copyOf(kept), List.copyOf(unkept), isIndex);
  }
}
