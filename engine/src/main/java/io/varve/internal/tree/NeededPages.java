package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.cache.ReplacedPageException;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The pages that one commit found missing in memory. What was loaded for it is held here until the
/// commit is done, so that a cache of any size lets every commit get on.
///
/// Holding is sound since a clean node's content never changes (N1). For one thread.
public final class NeededPages {
  // Most commits find every page in memory, and make none of these.
  private List<Node> missing = List.of();
  private Map<Place, Object> held = Map.of();

  /// What an attempt has found in memory, and holds until its end; null if it holds nothing.
  private @Nullable Kept kept;

  /// What was not what its reference says. Wanted again, the tree still has that reference.
  private Set<Place> mismatched = Set.of();

  /// What identifies a clean node: its parent may make another object of the same reference
  /// concurrently.
  private record Place(long extent, int checksum) {
    static Place of(Node node) {
      return new Place(node.extent(), node.checksum());
    }
  }

  byte @Nullable [] page(Leaf leaf) {
    byte[] page = leaf.page();
    if (kept != null) {
      page = kept.keep(leaf, page, byte[].class);
    }
    return page != null ? page : heldFor(leaf, byte[].class);
  }

  @Nullable Branches branches(Inner inner) {
    Branches branches = Pages.useIfInMemory(inner);
    if (kept != null) {
      branches = kept.keep(inner, branches, Branches.class);
    }
    return branches != null ? branches : heldFor(inner, Branches.class);
  }

  /// Holds from now on what is found, so that it is found again in this attempt. That is sound as
  /// long as the write lock keeps others from changing it: until [#load].
  public void keep() {
    kept = new Kept();
  }

  private <T> @Nullable T heldFor(Node node, Class<T> type) {
    return held.isEmpty() ? null : type.cast(held.get(Place.of(node)));
  }

  void want(Node node) {
    if (missing.isEmpty()) {
      missing = new ArrayList<>();
    }
    missing.add(node);
  }

  /// Whether the last `prepare` found pages missing.
  public boolean areMissing() {
    return !missing.isEmpty();
  }

  /// Whether some were loaded for an attempt before.
  public boolean haveBeenMissing() {
    return !held.isEmpty();
  }

  /// Loads what is missing, except what was replaced concurrently. Call it without locks.
  ///
  /// @throws io.varve.CorruptStoreException if an image is not what its reference says; the store
  ///   has failed
  public void load(Pages pages) {
    kept = null;
    if (held.isEmpty()) {
      held = new HashMap<>();
    }
    for (Node node : missing) {
      try {
        held.put(
            Place.of(node),
            switch (node) {
              case Leaf leaf -> pages.loadLive(leaf);
              case Inner inner -> pages.loadLive(inner);
            });
      } catch (ReplacedPageException e) {
        if (mismatched.isEmpty()) {
          mismatched = new HashSet<>();
        }
        if (!mismatched.add(Place.of(node))) {
          throw pages.file().damaged(e.mismatch());
        }
        // Otherwise the commit will find what is there now.
      }
    }
    missing = List.of();
  }

  /// What one attempt has found in memory. In the order in which it did, so that a simulation
  /// repeats.
  private static final class Kept {
    private final IdentityHashMap<Node, Object> pages = new IdentityHashMap<>();
    private final List<Node> nodes = new ArrayList<>();

    /// What is in memory, which is kept then, or what was.
    private <T> @Nullable T keep(Node node, @Nullable T inMemory, Class<T> type) {
      if (inMemory == null) {
        return type.cast(find(node));
      }
      if (pages.put(node, inMemory) == null) {
        nodes.add(node);
      }
      return inMemory;
    }

    /// A node that has left memory may be another object now, which its parent made of the
    /// reference.
    private @Nullable Object find(Node node) {
      Object page = pages.get(node);
      if (page != null) {
        return page;
      }
      Place place = Place.of(node);
      for (Node each : nodes) {
        if (Place.of(each).equals(place)) {
          return pages.get(each);
        }
      }
      return null;
    }
  }
}
