package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSnapshot;
import java.io.InputStream;
import java.io.Reader;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The overlays as of one time over a snapshot of the store. Keeps the spaces of the layers.
final class LayeredSnapshot implements ItemSnapshot, ItemSource {
  private final Space main;
  private final ItemState state;
  private final Snapshot below;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LayeredSnapshot(Space main, ItemState state, Snapshot below) {
    this.main = main;
    this.state = state;
    this.below = below;
  }

  /// A snapshot over `below`, which it closes; or null, and `below` is closed, if a layer is gone.
  static @Nullable LayeredSnapshot pin(Space main, ItemState state, Snapshot below) {
    List<Layer> levels = state.layers().newestFirst();
    int pinned = 0;
    LayeredSnapshot snapshot = null;
    try {
      while (pinned < levels.size() && levels.get(pinned).pin()) {
        pinned++;
      }
      if (pinned == levels.size()) {
        snapshot = new LayeredSnapshot(main, state, below);
      }
      return snapshot;
    } finally {
      if (snapshot == null) {
        end(below, levels.subList(0, pinned));
      }
    }
  }

  /// Closes the snapshot of the store and unpins every layer, also if that fails for some of them.
  private static void end(Snapshot below, List<Layer> pinned) {
    below.close();
    unpin(pinned);
  }

  private static void unpin(List<Layer> pinned) {
    Throwable failure = null;
    for (Layer layer : pinned) {
      try {
        layer.unpin();
      } catch (RuntimeException | Error e) { // a drop probes the stack
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("no other is caught", failure);
    }
  }

  @Override
  public ItemState state() {
    return state;
  }

  @Override
  public Space main() {
    return main;
  }

  @Override
  public Cursor cursor(Space space, Range range) {
    return below.cursor(space, range);
  }

  @Override
  public <T> T whileStill(Supplier<T> read) {
    return read.get();
  }

  @Override
  public ItemCursor cursor(Item prefix) {
    return new MergedCursor(this, prefix.toBytes());
  }

  @Override
  public long count(Item prefix) {
    byte[] from = prefix.toBytes();
    if (state.isMainAlone()) {
      return below.count(main, Range.of(from, ItemBytes.endOf(from)));
    }
    ItemCursor cursor = cursor(prefix);
    long count = 0;
    while (cursor.next()) {
      count++;
    }
    return count;
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
  public void close() {
    below.close(); // first: it may find too little stack, and is called again then
    if (closed.compareAndSet(false, true)) {
      unpin(state.layers().newestFirst());
    }
  }
}
