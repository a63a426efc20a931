package io.varve.internal.cache;

import io.varve.internal.page.Node;
import org.jspecify.annotations.Nullable;

/// Nodes in the order in which they came, with the bytes of their pages.
///
/// The places of the nodes are linked. An array deque has an element before it grows for it: where
/// memory lacks for that it counts as empty, and the pages that it held would never leave.
///
/// Guarded by the lock of the cache, as is [Node#place].
///
/// @param <N> the kind of nodes
final class PageQueue<N extends Node> {
  private @Nullable Place first;
  private @Nullable Place last;
  private long bytes;
  private int size;

  /// Where a node is in this queue. One that was taken out is not linked, and keeps no other node
  /// in memory.
  private final class Place {
    final N node;
    @Nullable Place before;
    @Nullable Place after;

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
    return size;
  }

  /// Whether a node is in this queue.
  boolean holds(N node) {
    return node.place instanceof PageQueue<?>.Place place && place.queue() == this;
  }

  /// Adds a node that is in no queue. For lack of memory it does not, and changes nothing.
  void add(N node) {
    Place place = new Place(node);
    linkLast(place);
    node.place = place;
    bytes += Weight.of(node);
    size++;
  }

  /// The node that came first, or null if there is none.
  @Nullable N first() {
    Place place = first;
    return place == null ? null : place.node;
  }

  /// Moves the node that [#first] gave to the end of another queue, or, for lack of memory, not.
  void moveFirstTo(PageQueue<N> other) {
    Place place = first;
    assert place != null;
    if (place != null) {
      other.add(place.node);
      takeOut(place);
    }
  }

  /// Makes the node that [#first] gave the one that came last. Allocates nothing.
  void rotate() {
    Place place = first;
    assert place != null;
    if (place != null) {
      unlink(place);
      linkLast(place);
    }
  }

  /// Takes the node that came first, or null if there is none. Allocates nothing.
  @Nullable N poll() {
    Place place = first;
    if (place == null) {
      return null;
    }
    place.node.place = null;
    takeOut(place);
    return place.node;
  }

  /// Takes a node out that is in this queue. Allocates nothing.
  @SuppressWarnings("unchecked") // places of this queue hold nodes of its kind
  void remove(N node) {
    assert holds(node);
    Place place = (Place) node.place;
    node.place = null;
    if (place != null) {
      takeOut(place);
    }
  }

  private void takeOut(Place place) {
    unlink(place);
    bytes -= Weight.of(place.node);
    size--;
  }

  private void linkLast(Place place) {
    Place before = last;
    place.before = before;
    if (before == null) {
      first = place;
    } else {
      before.after = place;
    }
    last = place;
  }

  private void unlink(Place place) {
    Place before = place.before;
    Place after = place.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    place.before = null;
    place.after = null;
  }
}
