package io.varve.internal.tree;

import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.Node;
import io.varve.internal.page.Pages;
import io.varve.internal.page.ReplacedPageException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The pages that one commit found missing in memory. What was loaded for it is held here until the
/// commit is done, so that a cache of any size lets every commit get on.
///
/// Holding is sound since a clean node's content never changes (N1). For one thread.
public final class NeededPages {
  private final List<Node> missing = new ArrayList<>();
  private final IdentityHashMap<Node, Object> held = new IdentityHashMap<>();
  private @Nullable ReplacedPageException before;

  byte @Nullable [] page(Leaf leaf) {
    byte[] page = leaf.page();
    return page != null ? page : (byte[]) held.get(leaf);
  }

  @Nullable Branches branches(Inner inner) {
    Branches branches = Pages.useIfInMemory(inner);
    return branches != null ? branches : (Branches) held.get(inner);
  }

  void want(Node node) {
    missing.add(node);
  }

  /// Whether the last `prepare` found pages missing.
  public boolean areMissing() {
    return !missing.isEmpty();
  }

  /// Loads what is missing, but for what was replaced meanwhile. Call it without locks.
  ///
  /// @throws io.varve.CorruptStoreException if an image is not what its reference says; the store
  ///   has failed
  public void load(Pages pages) {
    for (Node node : missing) {
      try {
        held.put(
            node,
            switch (node) {
              case Leaf leaf -> pages.loadLive(leaf);
              case Inner inner -> pages.loadLive(inner);
            });
      } catch (ReplacedPageException e) {
        if (e.isSameAs(before)) {
          throw pages.file().damaged(e.mismatch());
        }
        before = e; // the commit will find what is there now
      }
    }
    missing.clear();
  }
}
