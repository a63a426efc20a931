package io.varve.internal.tree;

import io.varve.CorruptStoreException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.cache.Pages;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Removes a tree that nothing reads or changes any more but snapshots, in parts: the leaves of one
/// inner node at a time, from the greatest keys down. What is left between two parts is a tree, so
/// that each checkpoint can hold it, and a recovery continues with it.
///
/// For one thread at a time.
public final class TreeRemoval {
  /// How often a part is tried that cannot be read, before what it leads to stays in the file.
  private static final int TRIES = 5;

  private final Tree tree;
  private final String name;
  private final Pages pages;
  private final Epochs epochs;

  /// The inner nodes from the root to the parent of the part, and their branches: no other thread
  /// changes them.
  private final List<Inner> path = new ArrayList<>();

  private final List<Branches> pathBranches = new ArrayList<>();

  /// What the part consists of, and the references of its large values.
  private final List<Node> nodes = new ArrayList<>();

  private final List<byte[]> values = new ArrayList<>();
  private int tries;
  private boolean warned;

  /// @param name of the space, for messages
  public TreeRemoval(Tree tree, String name, Epochs epochs) {
    this.tree = tree;
    this.name = name;
    this.pages = tree.pages();
    this.epochs = epochs;
  }

  /// Reads the next part. Called without locks that others wait for.
  ///
  /// @throws StoreIoException if a page cannot be read; try again
  public void read() {
    path.clear();
    pathBranches.clear();
    nodes.clear();
    values.clear();
    try {
      readFrom(tree.root());
      tries = 0;
    } catch (StoreIoException e) {
      tries++;
      throw e;
    }
  }

  private void readFrom(Node root) {
    Node node = root;
    while (node instanceof Inner inner) {
      Branches branches = branches(inner);
      if (branches == null) {
        nodes.add(inner);
        return;
      }
      if (inner.level() == 1) {
        for (int i = 0; i < branches.count(); i++) {
          readLeaf((Leaf) branches.child(i));
        }
        nodes.add(inner);
        return;
      }
      path.add(inner);
      pathBranches.add(branches);
      node = branches.child(branches.count() - 1);
    }
    readLeaf((Leaf) node);
  }

  private @Nullable Branches branches(Inner inner) {
    try {
      return pages.readRemoved(inner);
    } catch (CorruptStoreException e) {
      warnOfRest(e);
    } catch (StoreIoException e) {
      throwOrWarn(e);
    }
    return null;
  }

  private void readLeaf(Leaf leaf) {
    nodes.add(leaf);
    try {
      byte[] page = pages.readRemoved(leaf);
      for (int i = 0; LeafPage.hasLarge(page) && i < LeafPage.count(page); i++) {
        if (LeafPage.isLarge(page, i)) {
          values.add(LeafPage.value(page, i));
        }
      }
    } catch (CorruptStoreException e) {
      warnOfRest(e);
    } catch (StoreIoException e) {
      throwOrWarn(e);
    }
  }

  private void throwOrWarn(StoreIoException e) {
    if (tries < TRIES) {
      throw e;
    }
    warnOfRest(e); // the rest of the tree would never be removed otherwise
  }

  /// Warns of the first page only: of a tree that is damaged in many, one line is enough.
  private void warnOfRest(VarveException e) {
    if (warned) {
      return;
    }
    warned = true;
    System.getLogger(TreeRemoval.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "a page of a space that was dropped cannot be read; what it leads to stays in the file,"
                + " and so for each further such page, of which no warning follows: space="
                + name
                + "; to get that capacity back, dump the store and load it into a new one",
            e);
  }

  /// Removes the part that was read. The caller is inside the gate.
  ///
  /// @return whether it was the last; then the root is retired as well
  public boolean remove(long epoch) {
    while (!path.isEmpty() && pathBranches.getLast().count() == 1) {
      nodes.add(path.removeLast());
      pathBranches.removeLast();
    }
    boolean isLast = path.isEmpty();
    if (!isLast) {
      unlink(epoch);
    }
    for (Node node : nodes) {
      pages.retire(node, epoch, true);
    }
    for (byte[] value : values) {
      pages.retireLarge(value, epoch);
    }
    return isLast;
  }

  /// Copies what the path holds of older epochs into this one (T2), and takes the part off its end.
  private void unlink(long epoch) {
    Inner parent = null;
    for (int level = 0; level < path.size(); level++) {
      Inner inner = path.get(level);
      if (inner.epoch() != epoch) {
        Branches branches = pathBranches.get(level).copy();
        Inner copy = pages.newInner(epoch, inner.level(), branches);
        pathBranches.set(level, branches);
        if (parent == null) {
          tree.publishRoot(copy, epoch, epochs);
        } else {
          Branches above = pathBranches.get(level - 1);
          above.child(above.count() - 1, copy);
        }
        pages.retire(inner, epoch, true);
        inner = copy;
      }
      parent = inner;
    }
    Branches last = pathBranches.getLast();
    if (parent != null) {
      parent.branches(last.remove(last.count() - 1));
    }
  }
}
