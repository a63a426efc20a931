package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The leaf that was used least recently leaves first.
///
/// Readers link nothing: each stamps the leaf with the time of its use, which grows with each
/// newcomer. Leaves between whose uses nobody came are equally recent. Places are in the order of
/// the stamps that leaves had when they were last looked at. (U1) A leaf's stamp is never older
/// than that of its place. So the first place whose leaf has the same stamp is that of the oldest
/// leaf; one that was used since gets a new place.
final class LruRetention implements LeafRetention {
  private static final VarHandle NOW;

  static {
    try {
      NOW = MethodHandles.lookup().findVarHandle(LruRetention.class, "now", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Fewer empty slots are not worth a sweep.
  private static final int SWEEP_MIN = 1024;

  /// A leaf and its stamp as of when it was placed.
  private static final class Place {
    final Leaf leaf;
    final int stamp;

    Place(Leaf leaf, int stamp) {
      this.leaf = leaf;
      this.stamp = stamp;
    }

    boolean isEmptySlot() {
      return leaf.place != this;
    }
  }

  /// Compared by difference, since stamps come round after 2^31 newcomers.
  private final Queue<Place> places =
      new PriorityQueue<>((one, other) -> Integer.compare(one.stamp - other.stamp, 0));

  private int emptySlots;
  private long bytes;

  /// The stamp of uses, one more than that of the last newcomer. Written under the lock of the
  /// cache, read by any reader; opaque.
  @SuppressWarnings("unused") // by its handle
  private int now;

  @Override
  public void used(Leaf leaf) {
    int stamp = (int) NOW.getOpaque(this);
    if (leaf.use != stamp) {
      leaf.use = stamp;
    }
  }

  @Override
  public @Nullable Leaf add(Leaf leaf, long bytesMax, boolean passing) {
    int stamp = (int) NOW.getOpaque(this) + 1;
    NOW.setOpaque(this, stamp + 1);
    leaf.use = stamp;
    bytes += Weight.of(leaf);
    place(leaf, stamp);
    return null;
  }

  private void place(Leaf leaf, int stamp) {
    Place place = new Place(leaf, stamp);
    leaf.place = place;
    places.add(place);
  }

  @Override
  public void remove(Leaf leaf) {
    leave(leaf);
    emptySlots++;
    if (emptySlots > SWEEP_MIN && emptySlots > places.size() / 2) {
      places.removeIf(Place::isEmptySlot);
      emptySlots = 0;
    }
  }

  private Leaf leave(Leaf leaf) {
    leaf.place = null;
    bytes -= Weight.of(leaf);
    return leaf;
  }

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    int rounds = 0;
    Place place;
    while ((place = places.poll()) != null) {
      if (place.isEmptySlot()) {
        emptySlots--;
        continue;
      }
      Leaf leaf = place.leaf;
      int stamp = leaf.use;
      if (stamp == place.stamp || ++rounds > ROUNDS_MAX) {
        return leave(leaf);
      }
      place(leaf, stamp);
    }
    return null;
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
