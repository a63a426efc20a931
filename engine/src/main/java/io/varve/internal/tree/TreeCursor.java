package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.cache.ReplacedPageException;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A position in a range of one tree, which moves both ways. Over a fixed root it shows that state;
/// over the live tree each leaf is one state, and the path may be older than the tree (T3): a leaf
/// that is gone sends the cursor back to the root by the last key seen.
///
/// For one thread at a time.
public final class TreeCursor {
  /// A cursor that has passed so many leaves is a scan: shorter ranges are wanted as single entries
  /// are.
  private static final int SCAN_LEAVES = 4;

  private static final int DEPTH_MAX = 24;

  private final Tree tree;
  private final Pages pages;
  private final @Nullable Node fixed;
  private final byte[] from;
  private final byte @Nullable [] to;

  private final Branches[] path = new Branches[DEPTH_MAX];
  private final int[] slots = new int[DEPTH_MAX];
  private int depth;

  /// Leaves entered since the last search, this one not counted.
  private int leavesPassed;

  private final PageCopies copies = new PageCopies();
  private byte @Nullable [] page;

  /// The entries of the page that are in the range: `low` to `high`, exclusive.
  private int low;

  private int high;

  /// The current entry; `low - 1` or `high` if the cursor is outside the page's entries.
  private int index;

  private Place place = Place.BEFORE;

  /// Where a cursor is: before the first entry of its range, on an entry, or after the last.
  public enum Place {
    BEFORE,
    ON,
    AFTER
  }

  /// Makes a cursor before the first entry.
  ///
  /// @param fixed a root that no longer changes, or null for the live tree
  public TreeCursor(Tree tree, @Nullable Node fixed, byte[] from, byte @Nullable [] to) {
    this.tree = tree;
    this.pages = tree.pages();
    this.fixed = fixed;
    this.from = from;
    this.to = to;
  }

  /// A cursor over no entries at all.
  public static TreeCursor overNothing(Tree tree) {
    return new TreeCursor(tree, tree.emptyRoot(), new byte[0], null);
  }

  /// Moves to the least entry of the range at or above `key`.
  public boolean seek(byte[] key) {
    byte[] start = Arrays.compareUnsigned(key, from) < 0 ? from : key;
    descend(start, false);
    index = position(start);
    if (index < high) {
      place = Place.ON;
      return true;
    }
    return nextLeaf(start);
  }

  /// Moves to the greatest entry of the range below `key`, or to the last if `key` is null.
  public boolean seekBelow(byte @Nullable [] key) {
    byte[] end = to == null || (key != null && Arrays.compareUnsigned(key, to) < 0) ? key : to;
    descend(end, true);
    index = (end == null ? high : Math.min(high, position(end))) - 1;
    if (index >= low) {
      place = Place.ON;
      return true;
    }
    return previousLeaf(end);
  }

  /// Moves to the first entry of the range.
  public boolean first() {
    return seek(from);
  }

  /// Moves to the last entry of the range.
  public boolean last() {
    return seekBelow(null);
  }

  /// Moves to the next entry.
  public boolean next() {
    if (place == Place.ON) {
      if (++index < high) {
        return true;
      }
      return nextLeaf(null);
    }
    return place == Place.BEFORE && first();
  }

  /// Moves to the previous entry.
  public boolean previous() {
    if (place == Place.ON) {
      if (--index >= low) {
        return true;
      }
      return previousLeaf(null);
    }
    return place == Place.AFTER && last();
  }

  /// Whether the cursor is on an entry.
  public boolean isOnEntry() {
    return place == Place.ON;
  }

  /// The page of the current entry, which no writer changes; meaningful while [#isOnEntry()].
  public byte[] page() {
    byte[] current = page;
    if (current == null) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
    return current;
  }

  /// The index of the current entry in [#page()].
  public int index() {
    return index;
  }

  /// Moves past the entries of this page.
  boolean skipPage() {
    index = high - 1;
    return next();
  }

  private int position(byte[] key) {
    int found = LeafPage.find(page(), key);
    return found < 0 ? ~found : found;
  }

  /// Goes down to the leaf of `key` from the root; if `below`, to the leaf of the keys right below
  /// it (null: of the greatest keys).
  private void descend(byte @Nullable [] key, boolean below) {
    ReplacedPageException before = null;
    while (true) {
      try {
        Node node = fixed == null ? tree.root() : fixed;
        depth = 0;
        while (node instanceof Inner inner) {
          Branches branches = pages.use(inner);
          int slot =
              key == null
                  ? branches.count() - 1
                  : below ? branches.findBelow(key) : branches.find(key);
          node = push(branches, slot);
        }
        leavesPassed = 0;
        if (enter((Leaf) node)) {
          return;
        }
      } catch (ReplacedPageException e) {
        before = tree.startAgain(fixed, before, e);
      }
    }
  }

  private Node push(Branches branches, int slot) {
    path[depth] = branches;
    slots[depth++] = slot;
    return branches.child(slot);
  }

  /// Takes the leaf's page and finds which of its entries are in the range.
  private boolean enter(Leaf leaf) {
    boolean passing = leavesPassed >= SCAN_LEAVES;
    byte[] stable = tree.stablePage(leaf, fixed != null, passing, copies);
    if (stable == null) {
      return false;
    }
    page = stable;
    int count = LeafPage.count(stable);
    low = 0;
    high = count;
    if (count > 0) {
      if (from.length > 0 && LeafPage.compareKey(stable, 0, from) < 0) {
        low = position(from);
      }
      if (to != null && LeafPage.compareKey(stable, count - 1, to) >= 0) {
        high = position(to);
      }
    }
    return true;
  }

  /// @param sought the key that the search began with, or null to continue from the current page
  private boolean nextLeaf(byte @Nullable [] sought) {
    byte[] last = page;
    while (true) {
      int level = depth - 1;
      while (level >= 0 && slots[level] == path[level].count() - 1) {
        level--;
      }
      if (level < 0
          || (to != null && Arrays.compareUnsigned(path[level].separator(slots[level]), to) >= 0)) {
        place = Place.AFTER;
        return false;
      }
      byte[] separator = path[level].separator(slots[level]);
      if (!step(level, slots[level] + 1, separator, true)) {
        byte[] resume = resumeAfter(last, sought);
        return seek(Arrays.compareUnsigned(separator, resume) > 0 ? separator : resume);
      }
      if (low < high) {
        index = low;
        place = Place.ON;
        return true;
      }
      last = page; // the array of the one before is used again
    }
  }

  private boolean previousLeaf(byte @Nullable [] sought) {
    while (true) {
      int level = depth - 1;
      while (level >= 0 && slots[level] == 0) {
        level--;
      }
      if (level < 0 || Arrays.compareUnsigned(path[level].separator(slots[level] - 1), from) <= 0) {
        place = Place.BEFORE;
        return false;
      }
      byte[] separator = path[level].separator(slots[level] - 1);
      if (!step(level, slots[level] - 1, separator, false)) {
        return seekBelow(
            sought != null && Arrays.compareUnsigned(sought, separator) < 0 ? sought : separator);
      }
      if (low < high) {
        index = high - 1;
        place = Place.ON;
        return true;
      }
    }
  }

  /// Goes to the leaf at one edge of the subtree in a slot of the path.
  ///
  /// @param bound the separator at that edge
  /// @return false if the leaf was replaced concurrently
  private boolean step(int level, int slot, byte[] bound, boolean leftEdge) {
    try {
      depth = level;
      Node node = push(path[level], slot);
      while (node instanceof Inner inner) {
        Branches branches = pages.loadLive(inner);
        node = push(branches, leftEdge ? 0 : branches.count() - 1);
      }
      leavesPassed++;
      Leaf leaf = (Leaf) node;
      boolean entered = enter(leaf);
      if (entered && fixed != null) {
        requireWithin(leaf, bound, leftEdge);
      }
      return entered;
    } catch (ReplacedPageException e) {
      tree.startAgain(fixed, null, e);
      return false;
    }
  }

  /// Checks that a leaf of a tree that no longer changes keeps to its bound: a caller that searches
  /// again from the last key shown would come to the same leaves forever.
  private void requireWithin(Leaf leaf, byte[] bound, boolean leftEdge) {
    int last = LeafPage.count(page()) - 1;
    if (last >= 0 && LeafPage.compareKey(page(), leftEdge ? 0 : last, bound) < 0 == leftEdge) {
      throw pages
          .file()
          .damaged(
              pages
                  .file()
                  .malformed(leaf.extent(), new MalformedImageException("key out of bounds")));
    }
  }

  /// The least key that comes after all that the cursor has shown.
  private byte[] resumeAfter(byte @Nullable [] lastPage, byte @Nullable [] sought) {
    if (sought != null) {
      return sought;
    }
    if (lastPage == null || LeafPage.count(lastPage) == 0) {
      return from;
    }
    byte[] last = LeafPage.key(lastPage, LeafPage.count(lastPage) - 1);
    return Arrays.copyOf(last, last.length + 1);
  }
}
