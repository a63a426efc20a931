package io.varve.internal.txn;

import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The indexes of one space, as they come and go: those that the store has, and the definitions
/// that the program has given.
///
/// - (INDEXES-1) An index that exists in the store is kept by each commit of the space, or the
///   space refuses to be changed.
/// - (INDEXES-2) A commit applies what it planned with the set of indexes that it saw, or not at
///   all: it compares the set inside the gate, after it has noted its change. A set changes before
///   an index is built. So what a commit without the index writes is in the snapshot that the index
///   is built from, since to take that shuts the gate.
/// - (INDEXES-3) What is read is one state that never changes. A change makes the next state of the
///   one before, under the monitor, and publishes it by one write. So a reader takes no lock, and
///   sees the entries, the definitions and what commits look at as of one change.
///
/// Thread-safe.
public final class IndexSet {
  private final Supplier<String> space;
  private final boolean isIndex;

  /// Written under the monitor of this.
  private volatile State state;

  /// A set of indexes; its maps are not changed.
  ///
  /// @param entries the ids of the spaces with the entries, by the names of the indexes
  /// @param definitions what the program has given
  /// @param indexing what commits look at, another object for each state; null if there are no
  ///   indexes
  private record State(
      SortedMap<String, Integer> entries,
      Map<String, SpaceIndex> definitions,
      @Nullable Indexing indexing) {}

  /// @param space gives the name of the space
  IndexSet(Supplier<String> space) {
    this.space = space;
    this.isIndex = IndexNames.isIndex(space.get());
    this.state = state(space, isIndex, new TreeMap<>(), new TreeMap<>());
  }

  private static State state(
      Supplier<String> space,
      boolean isIndex,
      SortedMap<String, Integer> entries,
      Map<String, SpaceIndex> definitions) {
    List<Indexing.Kept> kept = new ArrayList<>();
    List<String> unkept = new ArrayList<>();
    entries.forEach((name, id) -> {
      SpaceIndex definition = definitions.get(name);
      if (definition == null) {
        unkept.add(name);
      } else {
        kept.add(new Indexing.Kept(id, name, definition));
      }
    });
    return new State(
        Collections.unmodifiableSortedMap(entries),
        definitions,
        entries.isEmpty() && !isIndex
            ? null
            : new Indexing(
                space.get(),
                List.copyOf(kept),
                List.copyOf(unkept),
                isIndex,
                isIndex ? entries.get(IndexWorkspace.NAME) : null));
  }

  /// What commits look at; null if there are no indexes.
  @Nullable Indexing indexing() {
    return state.indexing();
  }

  /// Whether the space still has the indexes that a commit saw.
  @SuppressWarnings("ReferenceEquality") // another set of indexes is another object
  boolean areStill(@Nullable Indexing seen) {
    return state.indexing() == seen;
  }

  /// The definition of an index that the program has given, or null. Its name is another one if the
  /// index was renamed since, or in an earlier life.
  public @Nullable SpaceIndex definition(String name) {
    return state.definitions().get(name);
  }

  /// The id of the space with the entries of an index, or null if there is none.
  public @Nullable Integer entries(String name) {
    return state.entries().get(name);
  }

  /// The ids of the spaces with the entries, by the names of the indexes, as of now.
  public SortedMap<String, Integer> all() {
    return state.entries();
  }

  /// The id of the workspace of this index, or null if the index is not being built.
  public @Nullable Integer workspace() {
    return entries(IndexWorkspace.NAME);
  }

  /// Notes the definition of an index, which exists or is about to, and may have another name than
  /// the program gives it.
  public void define(String name, SpaceIndex definition) {
    change((_, definitions) -> definitions.put(name, definition));
  }

  void added(String name, int entriesId) {
    change((entries, _) -> entries.put(name, entriesId));
  }

  void removed(String name) {
    change((entries, definitions) -> {
      entries.remove(name);
      definitions.remove(name); // An index that gets the name may be another one.
    });
  }

  void renamed(String name, String newName) {
    change((entries, definitions) -> {
      Integer id = entries.remove(name);
      SpaceIndex definition = definitions.remove(name);
      if (id != null) {
        entries.put(newName, id);
      }
      if (definition != null) {
        definitions.put(newName, definition);
      }
    });
  }

  private synchronized void change(
      BiConsumer<SortedMap<String, Integer>, Map<String, SpaceIndex>> changing) {
    SortedMap<String, Integer> entries = new TreeMap<>(state.entries());
    Map<String, SpaceIndex> definitions = new TreeMap<>(state.definitions());
    changing.accept(entries, definitions);
    state = state(space, isIndex, entries, definitions);
  }
}
