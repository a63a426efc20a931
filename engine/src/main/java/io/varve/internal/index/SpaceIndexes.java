package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.internal.txn.LiveSpace;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The indexes of one space.
public final class SpaceIndexes implements IndexedSpace {
  private final IndexRegistry registry;
  private final LiveSpace space;

  /// @param registry of the store
  /// @param space the indexed one
  public SpaceIndexes(IndexRegistry registry, LiveSpace space) {
    this.registry = registry;
    this.space = space;
  }

  IndexRegistry registry() {
    return registry;
  }

  @Override
  public LiveSpace space() {
    return space;
  }

  @Override
  public void keep(List<? extends SpaceIndex> indexes, ProgressListener listener) {
    Map<LiveSpace, SpaceIndex> made = new LinkedHashMap<>();
    List<String> names = indexes.stream().<String>map(SpaceIndex::name).toList();
    for (SpaceIndex index : indexes) {
      String id = index.id();
      requireOnce(indexes, index.name());
      require("name", index.name().length(), SpaceIndex.NAME_LENGTH_MAX);
      require("id", id.length(), SpaceIndex.ID_LENGTH_MAX);
      made.put(registry.make(space, index, id, names), index);
    }
    // All are kept before the first is built, so that others may write during the builds.
    registry.build(
        space,
        made.keySet(),
        unbuilt -> {
          Map<LiveSpace, SpaceIndex> definitions = new LinkedHashMap<>(made);
          definitions.keySet().retainAll(unbuilt);
          IndexBuilder.build(registry, space, definitions, listener);
        });
  }

  private static void requireOnce(List<? extends SpaceIndex> indexes, String name) {
    if (indexes.stream().filter(index -> index.name().equals(name)).count() > 1) {
      throw new IllegalArgumentException(
          "two indexes of one name: index=" + name + "; give each a name of its own");
    }
  }

  private static void require(String what, int length, int max) {
    if (length == 0 || length > max) {
      throw new IllegalArgumentException(
          what + " of an index out of range: length=" + length + ", max=" + max);
    }
  }

  @Override
  public List<IndexStatus> list() {
    List<IndexStatus> list = new ArrayList<>();
    for (String name : space.core().indexes().all().keySet()) {
      LiveSpace entries = registry.entries(space, name);
      if (entries != null) {
        IndexState state = IndexRegistry.state(entries);
        var size = entries.statistics();
        list.add(
            new IndexStatus(
                name,
                entries.core().definition().keyCodec(),
                state.isUnique(),
                space.core().indexes().definition(name) != null,
                state.isBuilt(),
                size.entries(),
                size.bytes()));
      }
    }
    return list;
  }

  @Override
  public Space entries(String index) {
    return entriesOf(index);
  }

  @Override
  public @Nullable Space entries(SpaceIndex index, ReadView view) {
    return registry.entries(space, index, view);
  }

  private LiveSpace entriesOf(String index) {
    LiveSpace entries = registry.entries(space, index);
    if (entries == null) {
      throw new IllegalArgumentException(
          "no such index: space="
              + space.name()
              + ", index="
              + index
              + ", indexes="
              + space.core().indexes().all().keySet());
    }
    return entries;
  }

  private SpaceIndex definition(String index) {
    SpaceIndex definition = space.core().indexes().definition(index);
    if (definition == null) {
      throw new IllegalStateException(
          "the program has not given the definition of the index: space="
              + space.name()
              + ", index="
              + index
              + "; give it by IndexedSpace.keep");
    }
    return definition;
  }

  @Override
  public byte[] key(String index, Cursor entry) {
    return IndexVerifier.key(definition(index), entry);
  }

  @Override
  public boolean isComplete(String index, ReadView view) {
    return registry.isComplete(entriesOf(index), view);
  }

  @Override
  public boolean drop(String index) {
    return registry.drop(space, index);
  }

  @Override
  public boolean rename(String index, String newName) {
    require("name", newName.length(), SpaceIndex.NAME_LENGTH_MAX);
    return registry.rename(space, index, newName);
  }

  @Override
  public List<String> verify(String index) {
    LiveSpace entries = entriesOf(index);
    IndexVerifier verifier = new IndexVerifier(space, entries, definition(index));
    try (Snapshot snapshot = space.store().snapshot()) {
      if (!registry.isComplete(entries, snapshot)) {
        throw new IllegalStateException(
            "the index is not built: space="
                + space.name()
                + ", index="
                + index
                + "; IndexedSpace.keep builds it");
      }
      return verifier.verify(snapshot);
    } catch (IllegalStateException e) {
      throw entries.core().isDropped() ? IndexRegistry.dropped("verified", space, entries, e) : e;
    }
  }
}
