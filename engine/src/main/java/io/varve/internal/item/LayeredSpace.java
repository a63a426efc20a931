package io.varve.internal.item;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Store;
import io.varve.internal.map.SpaceMap;
import io.varve.item.Item;
import io.varve.item.ItemCodec;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.item.ItemStatistics;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;

/// A set of items: what users call, over [Levels].
final class LayeredSpace implements ItemSpace {
  /// Attempts to read many items concurrently with commits, before it is done between two.
  private static final int ATTEMPTS_AMONG_COMMITS = 8;

  private final Store store;
  private final Levels levels;
  private final Replacements replacements;

  /// Opens the items of a store under a name: finds what of them was committed.
  LayeredSpace(Store store, LayerSpaces layers, String name) {
    this.store = store;
    this.levels = new Levels(store, layers, name);
    this.replacements = new Replacements(levels);
  }

  Levels levels() {
    return levels;
  }

  @Override
  public String name() {
    return levels.main().name();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public ItemCursor cursor(Item prefix) {
    return new MergedCursor(levels, prefix.toBytes());
  }

  @Override
  public long count(Item prefix) {
    try (ItemSnapshot snapshot = snapshot()) {
      return snapshot.count(prefix);
    }
  }

  @Override
  public ItemSnapshot snapshot() {
    for (int attempt = 0; attempt < ATTEMPTS_AMONG_COMMITS; attempt++) {
      LayeredSnapshot snapshot = levels.trySnapshot();
      if (snapshot != null) {
        return snapshot;
      }
    }
    return levels.whileStill(() -> {
      LayeredSnapshot snapshot = levels.trySnapshot();
      if (snapshot == null) {
        throw new IllegalStateException("levels changed under their lock: items=" + name());
      }
      return snapshot;
    });
  }

  @Override
  public void insert(Item item) {
    byte[] key = item.toBytes();
    levels.change(open -> open.with(key, false));
  }

  @Override
  public void delete(Item item) {
    byte[] key = item.toBytes();
    levels.change(open -> open.with(key, true));
  }

  @Override
  public void deleteSubspace(Item prefix) {
    replacements.replace(prefix.toBytes(), null);
  }

  @Override
  public void update(Item item, int protectedComponents) {
    replacements.replace(item.prefix(protectedComponents).toBytes(), item.toBytes());
  }

  @Override
  public <K, V> ConcurrentNavigableMap<K, V> map(
      Item prefix, ItemCodec<K> keys, ItemCodec<V> values) {
    ItemKeys under = new ItemKeys(prefix.toBytes(), keys.components());
    return new SpaceMap<>(new ItemEntries(levels, replacements, under), keys, values);
  }

  @Override
  public <E> NavigableSet<E> set(Item prefix, ItemCodec<E> elements) {
    return new ItemSet<>(map(prefix, elements, ItemCodec.nothing()));
  }

  @Override
  public OutputStream outputStream(Item prefix) {
    deleteSubspace(prefix);
    return new ChunkOutputStream(this, prefix);
  }

  @Override
  public Writer writer(Item prefix) {
    deleteSubspace(prefix);
    return new ChunkWriter(this, prefix);
  }

  @Override
  public InputStream inputStream(Item prefix) {
    return new ChunkInputStream(cursor(prefix), prefix);
  }

  @Override
  public Reader reader(Item prefix) {
    return new ChunkReader(cursor(prefix), prefix);
  }

  @Override
  public Commit commit() {
    return commit(store.options().durability());
  }

  @Override
  public Commit commit(Durability durability) {
    return levels.commit(durability);
  }

  @Override
  public void rollback() {
    levels.rollback();
  }

  @Override
  public ItemStatistics statistics() {
    ItemState now = levels.state();
    return new ItemSpaceFigures(
        levels.main().statistics(),
        now.layers().newestFirst().size(),
        (long) now.open().count() + now.frozen().count(),
        now.open().bytes() + now.frozen().bytes());
  }

  @Override
  public String toString() {
    return "ItemSpace[" + name() + "]";
  }
}
