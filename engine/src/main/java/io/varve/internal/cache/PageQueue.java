package io.varve.internal.cache;

import io.varve.internal.page.Node;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Nodes in the order in which they came, with the bytes of their pages. A node taken out of the
/// middle leaves an empty slot, which is passed over, and swept out when there are many.
///
/// Guarded by the lock of the cache, as is [Node#place].
///
/// @param <N> the kind of nodes
final class PageQueue<N extends Node> {
  /// Fewer empty slots are not worth a sweep.
  private static final int SWEEP_MIN = 1024;

  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private long bytes;
  private int emptySlots;

  /// Where a node is in this queue. An empty one does not keep the node, nor its page, in memory.
  private final class Place {
    @Nullable N node;

    Place(N node) {
      this.node = node;
    }

    PageQueue<?> queue() {
      return PageQueue.this;
    }
  }

  /// The bytes of the pages of all nodes.
  long bytes() {
    return bytes;
  }

  int size() {
    return places.size() - emptySlots;
  }

  /// Whether a node is in this queue.
  boolean holds(N node) {
    return node.place instanceof PageQueue<?>.Place place && place.queue() == this;
  }

  /// Adds a node that is in no queue.
  void add(N node) {
    Place place = new Place(node);
    places.addLast(place); // first: memory for it may be lacking
    node.place = place;
    bytes += Weight.of(node);
  }

  /// The node that came first, or null if there is none.
  @Nullable N first() {
    Place place;
    while ((place = places.peekFirst()) != null) {
      N node = place.node;
      if (node != null) {
        return node;
      }
      places.removeFirst();
      emptySlots--;
    }
    return null;
  }

  /// Moves the node that [#first] gave to the end of another queue, or, for lack of memory, not.
  void moveFirstTo(PageQueue<N> other) {
    N node = places.getFirst().node;
    assert node != null;
    if (node != null) {
      other.add(node);
      places.removeFirst();
      bytes -= Weight.of(node);
    }
  }

  /// Makes the node that [#first] gave the one that came last. Allocates nothing.
  void rotate() {
    places.addLast(places.removeFirst());
  }

  /// Takes the node that came first, or null if there is none.
  @Nullable N poll() {
    N node = first();
    if (node != null) {
      places.removeFirst();
      node.place = null;
      bytes -= Weight.of(node);
    }
    return node;
  }

  /// Takes a node out that is in this queue.
  @SuppressWarnings("unchecked") // places of this queue hold nodes of its kind
  void remove(N node) {
    assert holds(node);
    Place place = (Place) node.place;
    if (place != null) {
      place.node = null;
    }
    node.place = null;
    bytes -= Weight.of(node);
    emptySlots++;
    if (emptySlots > SWEEP_MIN && emptySlots > places.size() / 2) {
      places.removeIf(left -> left.node == null);
      emptySlots = 0;
    }
  }
}
