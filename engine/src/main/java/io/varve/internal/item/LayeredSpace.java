package io.varve.internal.item;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A set of items: what users call, over [Levels].
///
/// A subspace is replaced in two steps: what is there is read without locks, and then the open
/// changes are replaced if what was read still holds. After some attempts that is done while no
/// commit can come between.
final class LayeredSpace implements ItemSpace {
  /// Items under a prefix that are deleted one by one; if there are more, the prefix is noted.
  private static final int SINGLE_DELETES_MAX = 1000;

  /// Attempts to read or change many items concurrently with commits, before it is done between
  /// two.
  private static final int ATTEMPTS_BESIDE_COMMITS = 8;

  private final Store store;
  private final Levels levels;

  /// Opens the items of a store under a name: finds what of them was committed.
  LayeredSpace(Store store, LayerSpaces layers, String name) {
    this.store = store;
    this.levels = new Levels(store, layers, name);
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
    for (int attempt = 0; attempt < ATTEMPTS_BESIDE_COMMITS; attempt++) {
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
    replace(prefix.toBytes(), null);
  }

  @Override
  public void update(Item item, int protectedComponents) {
    replace(item.prefix(protectedComponents).toBytes(), item.toBytes());
  }

  /// Deletes what starts with a prefix, and inserts an item if there is one, in one step.
  void replace(byte[] prefix, byte @Nullable [] item) {
    replace(new Replacement(prefix, false, null, item));
  }

  /// Replaces what starts with a prefix, if the first such item is the one expected (null: if there
  /// is none).
  ///
  /// @return whether it was
  boolean compareAndReplace(byte[] prefix, byte @Nullable [] expected, byte @Nullable [] item) {
    return replace(new Replacement(prefix, true, expected, item));
  }

  /// @param isConditional whether the first item under the prefix must be `expected`
  /// @param item what to insert, or null
  private record Replacement(
      byte[] prefix, boolean isConditional, byte @Nullable [] expected, byte @Nullable [] item) {}

  private enum Outcome {
    REPLACED,
    NOT_AS_EXPECTED,
    /// What was read does not hold any more.
    OVERTAKEN
  }

  private boolean replace(Replacement replacement) {
    Outcome outcome = Outcome.OVERTAKEN;
    for (int i = 0; i < ATTEMPTS_BESIDE_COMMITS && outcome == Outcome.OVERTAKEN; i++) {
      outcome = tryReplace(replacement);
    }
    while (outcome == Outcome.OVERTAKEN) {
      // Now only changes of the same items can come between.
      outcome = levels.whileStill(() -> tryReplace(replacement));
    }
    return outcome == Outcome.REPLACED;
  }

  private Outcome tryReplace(Replacement replacement) {
    ItemState before = levels.state();
    byte[] prefix = replacement.prefix;
    List<byte[]> below;
    try {
      if (replacement.isConditional
          && !Arrays.equals(first(before, prefix), replacement.expected)) {
        return levels.state().isSameBelow(before) ? Outcome.NOT_AS_EXPECTED : Outcome.OVERTAKEN;
      }
      below = keysBelow(before, prefix);
    } catch (RuntimeException e) {
      if (levels.state().isSameBelow(before)) {
        throw e;
      }
      return Outcome.OVERTAKEN; // and a layer was dropped that this was reading
    }
    boolean replaced =
        levels.changeOver(before, open -> replaced(open, before.open(), replacement, below));
    return replaced ? Outcome.REPLACED : Outcome.OVERTAKEN;
  }

  /// @return null if the open changes are not as they were read
  private static @Nullable Overlay replaced(
      Overlay open, Overlay read, Replacement replacement, List<byte[]> below) {
    if (replacement.isConditional && !open.isSameUnder(replacement.prefix, read)) {
      return null;
    }
    Overlay rest = without(open, replacement.prefix, below);
    byte[] item = replacement.item;
    return item == null ? rest : rest.with(item, false);
  }

  private byte @Nullable [] first(ItemState of, byte[] prefix) {
    MergedCursor cursor = new MergedCursor(new FixedSource(levels, of), prefix);
    return cursor.first() ? cursor.toBytes() : null;
  }

  /// The items under a prefix that are there without the open changes, up to one too many.
  private List<byte[]> keysBelow(ItemState before, byte[] prefix) {
    ItemSource source = new FixedSource(levels, before.open(Overlay.EMPTY));
    ItemCursor cursor = new MergedCursor(source, prefix);
    List<byte[]> keys = new ArrayList<>();
    while (keys.size() <= SINGLE_DELETES_MAX && cursor.next()) {
      keys.add(cursor.toBytes());
    }
    return keys;
  }

  private static Overlay without(Overlay open, byte[] prefix, List<byte[]> below) {
    if (below.size() > SINGLE_DELETES_MAX) {
      return open.cleared(prefix);
    }
    Overlay rest = open.without(prefix);
    for (byte[] key : below) {
      rest = rest.with(key, true);
    }
    return rest;
  }

  /// The live levels below the overlays, under overlays of a moment. Whoever reads it looks
  /// afterwards whether they have changed.
  private record FixedSource(Levels levels, ItemState state) implements ItemSource {
    @Override
    public Space main() {
      return levels.main();
    }

    @Override
    public Cursor cursor(Space of, Range range) {
      return of.cursor(range);
    }

    @Override
    public <T> T whileStill(Supplier<T> read) {
      return read.get();
    }
  }

  @Override
  public <K, V> ConcurrentNavigableMap<K, V> map(
      Item prefix, ItemCodec<K> keys, ItemCodec<V> values) {
    return new SpaceMap<>(new ItemEntries(this, prefix.toBytes(), keys.components()), keys, values);
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
