package io.varve.internal.tree;

import io.varve.StoreClosedException;
import io.varve.VarveException;
import io.varve.internal.cache.Pages;
import io.varve.internal.file.LargeValues;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads every page below a root that no longer changes and checks what the tree's algorithms rely
/// on: checksums, order and bounds of keys, levels, counts.
public final class TreeVerifier {
  private final Pages pages;
  private final Consumer<String> problems;
  private final LongConsumer extents;
  private long pageCount;
  private long entryCount;

  /// Makes a verifier.
  ///
  /// @param problems notified of each finding
  /// @param extents notified of each extent met
  public TreeVerifier(Pages pages, Consumer<String> problems, LongConsumer extents) {
    this.pages = pages;
    this.problems = problems;
    this.extents = extents;
  }

  /// Verifies what is below a root.
  ///
  /// @throws StoreClosedException if the store is closed during that
  public void verify(String space, Node root) {
    verify("space=" + space, root, null, null);
  }

  private long verify(String where, Node node, byte @Nullable [] lower, byte @Nullable [] upper) {
    pageCount++;
    String place = where + ", level=" + node.level();
    if (node.isClean()) {
      place += ", " + Extent.describe(node.extent());
      if (pages.file().contains(node.extent())) {
        extents.accept(node.extent());
      }
    }
    long known = node.entryCount();
    long entries;
    try {
      entries =
          switch (node) {
            case Leaf leaf -> verifyLeaf(place, leaf, lower, upper);
            case Inner inner -> verifyInner(place, where, inner, lower, upper);
          };
    } catch (StoreClosedException e) {
      throw e; // nothing can be found out any more
    } catch (VarveException e) {
      problems.accept(e.getMessage() + " (" + place + ")");
      return Math.max(0, known);
    } catch (RuntimeException e) {
      problems.accept("page makes no sense: " + e + " (" + place + ")");
      return Math.max(0, known);
    }
    if (known != Node.UNCOUNTED && entries != known) {
      problems.accept("wrong count: " + place + ", expected=" + known + ", found=" + entries);
    }
    return entries;
  }

  private long verifyLeaf(
      String place, Leaf leaf, byte @Nullable [] lower, byte @Nullable [] upper) {
    byte[] page = pages.loadFromFile(leaf);
    int count = LeafPage.count(page);
    byte[] before = null;
    for (int i = 0; i < count; i++) {
      byte[] key = LeafPage.key(page, i);
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        problems.accept("keys out of order: " + place + ", entry=" + i);
      }
      if (isOutside(key, lower, upper)) {
        problems.accept("key outside of its parent's bounds: " + place + ", entry=" + i);
      }
      if (LeafPage.find(page, key) != i) {
        problems.accept("key not found by search: " + place + ", entry=" + i);
      }
      if (LeafPage.isLarge(page, i)) {
        verifyLarge(LeafPage.value(page, i));
      }
      before = key;
    }
    entryCount += count;
    return count;
  }

  private static boolean isOutside(byte[] key, byte @Nullable [] lower, byte @Nullable [] upper) {
    return (lower != null && Arrays.compareUnsigned(key, lower) < 0)
        || (upper != null && Arrays.compareUnsigned(key, upper) >= 0);
  }

  private void verifyLarge(byte[] reference) {
    LargeValues.forEachExtent(pages.file(), reference, extents);
    LargeValues.verify(pages.file(), reference);
  }

  private long verifyInner(
      String place, String where, Inner inner, byte @Nullable [] lower, byte @Nullable [] upper) {
    Branches branches = pages.loadFromFile(inner);
    long entries = 0;
    byte[] low = lower;
    for (int i = 0; i < branches.count(); i++) {
      byte[] high = i < branches.count() - 1 ? branches.separator(i) : upper;
      if (low != null && high != null && Arrays.compareUnsigned(low, high) >= 0) {
        problems.accept("separators out of order: " + place + ", child=" + i);
      }
      if (branches.child(i).level() != inner.level() - 1) {
        problems.accept("child of the wrong level: " + place + ", child=" + i);
      }
      entries += verify(where, branches.child(i), low, high);
      low = high;
    }
    return entries;
  }

  /// Pages read so far.
  public long pageCount() {
    return pageCount;
  }

  /// Entries read so far.
  public long entryCount() {
    return entryCount;
  }
}
