package io.varve.internal.item;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Changes that are over an older state of a set: items that were inserted or deleted, in order,
/// and prefixes under which all that is older is gone.
///
/// A B+tree that never changes: a change makes a new overlay, which shares all but the path to one
/// leaf. So a reader that holds an overlay holds one state. Several changes become visible together
/// by one store of the new root.
final class Overlay {
  static final Overlay EMPTY = new Overlay(new Leaf(new byte[0][], 0), 0, 0, Prefixes.NONE);

  /// Entries of a leaf and children of an inner node at most; each change copies one leaf and the
  /// inner nodes above.
  private static final int WIDTH = 32;

  /// What an entry takes on the heap apart from its bytes: the array's header, the reference to it,
  /// and its share of nodes that are half full.
  private static final int ENTRY_OVERHEAD_BYTES = 40;

  private final Node root;
  private final int count;

  /// What the entries take, without the prefixes.
  private final long bytes;

  private final Prefixes cleared;

  private Overlay(Node root, int count, long bytes, Prefixes cleared) {
    this.root = root;
    this.count = count;
    this.bytes = bytes;
    this.cleared = cleared;
  }

  private sealed interface Node {}

  /// @param deleted a bit for each key: whether the item was deleted
  private record Leaf(byte[][] keys, int deleted) implements Node {
    boolean isDeleted(int index) {
      return ((deleted >>> index) & 1) != 0;
    }
  }

  /// @param lows the least key below each child; that of the first is not looked at
  private record Inner(Node[] children, byte[][] lows) implements Node {
    /// The child that holds `key` up to `length`.
    int find(byte[] key, int length) {
      int low = 1;
      int high = children.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        byte[] least = lows[middle];
        if (Arrays.compareUnsigned(least, 0, least.length, key, 0, length) <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low - 1;
    }
  }

  /// Where `key` up to `length` is, or the complement of where it would be.
  private static int find(byte[][] keys, byte[] key, int length) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] candidate = keys[middle];
      int order = Arrays.compareUnsigned(candidate, 0, candidate.length, key, 0, length);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  boolean isEmpty() {
    return count == 0 && cleared.isEmpty();
  }

  /// The number of entries, without prefixes.
  int count() {
    return count;
  }

  /// About the bytes that this takes on the heap.
  long bytes() {
    return bytes + cleared.bytes();
  }

  /// The prefixes under which all that is older is gone. Entries may be under them.
  Prefixes cleared() {
    return cleared;
  }

  /// This with an item inserted or deleted.
  ///
  /// @param key not copied
  Overlay with(byte[] key, boolean deleted) {
    Insertion insertion = new Insertion(key, deleted);
    Node changed = insertion.into(root);
    Node sibling = insertion.sibling;
    if (sibling != null) {
      changed =
          new Inner(
              new Node[] {changed, sibling},
              new byte[][] {insertion.siblingLow, insertion.siblingLow});
    }
    return insertion.added
        ? new Overlay(changed, count + 1, bytes + key.length + ENTRY_OVERHEAD_BYTES, cleared)
        : new Overlay(changed, count, bytes, cleared);
  }

  /// Puts one entry into nodes, all of which are new.
  private static final class Insertion {
    private final byte[] key;
    private final boolean deleted;

    /// Whether the key was not there.
    boolean added;

    /// The right half of the node that was made last, if that was split.
    @Nullable Node sibling;

    /// The least key of the sibling.
    byte[] siblingLow = new byte[0];

    Insertion(byte[] key, boolean deleted) {
      this.key = key;
      this.deleted = deleted;
    }

    Node into(Node node) {
      return switch (node) {
        case Leaf leaf -> into(leaf);
        case Inner inner -> into(inner);
      };
    }

    private Leaf into(Leaf leaf) {
      int found = find(leaf.keys, key, key.length);
      int bit = deleted ? 1 : 0;
      if (found >= 0) {
        return new Leaf(leaf.keys, (leaf.deleted & ~(1 << found)) | (bit << found));
      }
      added = true;
      int at = ~found;
      int below = (1 << at) - 1;
      byte[][] keys = insert(leaf.keys, at, key);
      // Of a full leaf the last bit may be lost here: it is that of the greatest key, put back
      // below.
      int bits = (leaf.deleted & below) | (bit << at) | ((leaf.deleted & ~below) << 1);
      if (keys.length <= WIDTH) {
        return new Leaf(keys, bits);
      }
      return split(leaf, keys, at, bits);
    }

    /// @param bits of the keys, except the last one if that was the last before
    private Leaf split(Leaf before, byte[][] keys, int at, int bits) {
      long all = bits & 0xffff_ffffL;
      if (at < WIDTH) {
        all |= (long) (before.deleted >>> (WIDTH - 1)) << WIDTH;
      } else {
        all = (before.deleted & 0xffff_ffffL) | (deleted ? 1L << WIDTH : 0);
      }
      // Where keys come in order the left half stays nearly full.
      int cut = at == WIDTH ? WIDTH - 1 : keys.length / 2;
      sibling = new Leaf(Arrays.copyOfRange(keys, cut, keys.length), (int) (all >>> cut));
      siblingLow = keys[cut];
      return new Leaf(Arrays.copyOf(keys, cut), (int) (all & (1L << cut) - 1));
    }

    private Inner into(Inner inner) {
      int at = inner.find(key, key.length);
      Node child = into(inner.children[at]);
      Node[] children = inner.children.clone();
      children[at] = child;
      Node right = sibling;
      if (right == null) {
        return new Inner(children, inner.lows);
      }
      sibling = null;
      children = insert(children, at + 1, right);
      byte[][] lows = insert(inner.lows, at + 1, siblingLow);
      if (children.length <= WIDTH) {
        return new Inner(children, lows);
      }
      int cut = at + 2 == children.length ? WIDTH - 1 : children.length / 2;
      sibling =
          new Inner(
              Arrays.copyOfRange(children, cut, children.length),
              Arrays.copyOfRange(lows, cut, lows.length));
      siblingLow = lows[cut];
      return new Inner(Arrays.copyOf(children, cut), Arrays.copyOf(lows, cut));
    }

    private static <T> T[] insert(T[] array, int at, T element) {
      T[] more = Arrays.copyOf(array, array.length + 1);
      System.arraycopy(array, at, more, at + 1, array.length - at);
      more[at] = element;
      return more;
    }
  }

  /// This without its entries under `prefix`.
  Overlay without(byte[] prefix) {
    Removal removal = new Removal(prefix, ItemBytes.endOf(prefix));
    Node kept = removal.from(root);
    while (kept instanceof Inner inner && inner.children.length == 1) {
      kept = inner.children[0];
    }
    return removal.count == 0
        ? this
        : new Overlay(
            kept == null ? EMPTY.root : kept,
            count - removal.count,
            bytes - removal.bytes,
            cleared);
  }

  /// This with all gone under `prefix` that is in it or older.
  Overlay cleared(byte[] prefix) {
    Overlay rest = without(prefix);
    return new Overlay(rest.root, rest.count, rest.bytes, cleared.with(prefix));
  }

  /// Whether this records the same as another for all items under a prefix.
  @SuppressWarnings("ReferenceEquality") // the same objects are equal; others are compared
  boolean isSameUnder(byte[] prefix, Overlay other) {
    if (cleared != other.cleared) {
      return false;
    }
    Position here = position();
    Position there = other.position();
    boolean on = here.seekUnder(prefix);
    boolean otherOn = there.seekUnder(prefix);
    while (on && otherOn && here.isSameEntry(there)) {
      on = here.nextUnder(prefix);
      otherOn = there.nextUnder(prefix);
    }
    return !on && !otherOn;
  }

  /// This with the changes of a newer overlay made to it.
  Overlay with(Overlay newer) {
    Overlay sum = this;
    for (byte[] prefix : newer.cleared.all()) {
      sum = sum.cleared(prefix);
    }
    Position at = newer.position();
    for (boolean on = at.seek(new byte[0], 0, false); on; on = at.next()) {
      sum = sum.with(at.key(), at.isDeleted());
    }
    return sum;
  }

  /// Leaves out the entries of a range.
  private static final class Removal {
    private final byte[] from;
    private final byte[] to;
    int count;
    long bytes;

    Removal(byte[] from, byte[] to) {
      this.from = from;
      this.to = to;
    }

    /// What is left of a node, or null.
    @Nullable Node from(Node node) {
      return switch (node) {
        case Leaf leaf -> from(leaf);
        case Inner inner -> from(inner);
      };
    }

    private @Nullable Leaf from(Leaf leaf) {
      byte[][] keys = new byte[leaf.keys.length][];
      int deleted = 0;
      int kept = 0;
      for (int i = 0; i < leaf.keys.length; i++) {
        byte[] key = leaf.keys[i];
        if (Arrays.compareUnsigned(key, from) < 0 || Arrays.compareUnsigned(key, to) >= 0) {
          deleted |= (leaf.isDeleted(i) ? 1 : 0) << kept;
          keys[kept++] = key;
        } else {
          count++;
          bytes += key.length + ENTRY_OVERHEAD_BYTES;
        }
      }
      if (kept == leaf.keys.length) {
        return leaf;
      }
      return kept == 0 ? null : new Leaf(Arrays.copyOf(keys, kept), deleted);
    }

    private @Nullable Inner from(Inner inner) {
      int first = inner.find(from, from.length);
      int last = inner.find(to, to.length);
      int length = inner.children.length;
      Node[] children = new Node[length];
      byte[][] lows = new byte[length][];
      int kept = 0;
      for (int i = 0; i < length; i++) {
        Node child = inner.children[i];
        Node left = (i < first || i > last) ? child : from(child);
        if (left != null) {
          lows[kept] = inner.lows[i];
          children[kept++] = left;
        }
      }
      return kept == 0 ? null : new Inner(Arrays.copyOf(children, kept), Arrays.copyOf(lows, kept));
    }
  }

  /// A position among the entries of this.
  Position position() {
    return new Position(this);
  }

  /// A position among the entries of an overlay, which can be put on another. For one thread at a
  /// time.
  static final class Position {
    private Overlay overlay;
    private Leaf leaf = (Leaf) EMPTY.root;
    private int index;

    private Position(Overlay overlay) {
      this.overlay = overlay;
    }

    /// Is a position in another overlay from now on; it must be sought again.
    void on(Overlay other) {
      overlay = other;
    }

    Overlay overlay() {
      return overlay;
    }

    /// The key of the entry; not to be changed.
    byte[] key() {
      return leaf.keys[index];
    }

    boolean isDeleted() {
      return leaf.isDeleted(index);
    }

    /// Moves to the least entry at or, if `after`, after a key.
    boolean seek(byte[] key, int length, boolean after) {
      if (overlay.count == 0) {
        return false;
      }
      return seek(overlay.root, key, length, after);
    }

    private boolean seek(Node node, byte[] key, int length, boolean after) {
      switch (node) {
        case Leaf at -> {
          int found = find(at.keys, key, length);
          int next = found < 0 ? ~found : after ? found + 1 : found;
          leaf = at;
          index = next;
          return next < at.keys.length;
        }
        case Inner inner -> {
          int child = inner.find(key, length);
          return seek(inner.children[child], key, length, after)
              // The leaf holds less only: the next holds greater only, if there is one.
              || (child + 1 < inner.children.length
                  && seek(inner.children[child + 1], key, length, after));
        }
      }
    }

    /// Moves to the greatest entry at or, if `before`, before a key.
    boolean seekBack(byte[] key, int length, boolean before) {
      if (overlay.count == 0) {
        return false;
      }
      return seekBack(overlay.root, key, length, before);
    }

    private boolean seekBack(Node node, byte[] key, int length, boolean before) {
      switch (node) {
        case Leaf at -> {
          int found = find(at.keys, key, length);
          int previous = found < 0 ? ~found - 1 : before ? found - 1 : found;
          leaf = at;
          index = previous;
          return previous >= 0;
        }
        case Inner inner -> {
          int child = inner.find(key, length);
          return seekBack(inner.children[child], key, length, before)
              || (child > 0 && seekBack(inner.children[child - 1], key, length, before));
        }
      }
    }

    private boolean seekUnder(byte[] prefix) {
      return seek(prefix, prefix.length, false) && isUnder(prefix);
    }

    private boolean nextUnder(byte[] prefix) {
      return next() && isUnder(prefix);
    }

    private boolean isUnder(byte[] prefix) {
      return ItemBytes.startsWith(key(), key().length, prefix);
    }

    private boolean isSameEntry(Position other) {
      return isDeleted() == other.isDeleted() && Arrays.equals(key(), other.key());
    }

    /// Moves to the next entry.
    boolean next() {
      if (index + 1 < leaf.keys.length) {
        index++;
        return true;
      }
      byte[] key = key();
      return seek(key, key.length, true);
    }

    /// Moves to the entry before.
    boolean previous() {
      if (index > 0) {
        index--;
        return true;
      }
      byte[] key = key();
      return seekBack(key, key.length, true);
    }
  }
}
