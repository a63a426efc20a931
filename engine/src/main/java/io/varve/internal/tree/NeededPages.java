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
import java.util.function.LongConsumer;
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

  private int loads;

  /// Takes what each load brings to memory.
  private final LongConsumer memory;

  /// For a change of one key.
  public NeededPages() {
    this(_ -> {});
  }

  /// @param memory takes the bytes of pages that are about to be loaded; may throw
  public NeededPages(LongConsumer memory) {
    this.memory = memory;
  }

  /// References whose images did not match. If one is wanted again, the tree still has it.
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
    if (page == null) {
      return absent(leaf, byte[].class);
    }
    if (kept != null) {
      kept.keep(leaf, page);
    }
    return page;
  }

  @Nullable Branches branches(Inner inner) {
    Branches branches = Pages.useIfInMemory(inner);
    if (branches == null) {
      return absent(inner, Branches.class);
    }
    if (kept != null) {
      kept.keep(inner, branches);
    }
    return branches;
  }

  /// What is held of a node that is not in memory.
  private <T> @Nullable T absent(Node node, Class<T> type) {
    T loaded = heldFor(node, type);
    return loaded != null || kept == null ? loaded : type.cast(kept.find(node));
  }

  /// Holds from now on what is found, so that it is found again in this attempt. That is sound as
  /// long as the write lock keeps others from changing it: until [#releaseKept].
  public void keep() {
    kept = new Kept();
  }

  /// Notes that the attempt has found all, and now finds it again.
  public void keptAll() {
    if (kept != null) {
      kept.isComplete = true;
    }
  }

  /// Holds no more what was found in memory: another attempt begins.
  public void releaseKept() {
    kept = null;
  }

  /// How often pages were loaded for the commit.
  public int loads() {
    return loads;
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
  /// @throws io.varve.CorruptStoreException if an image does not match its reference; the store has
  ///   failed
  public void load(Pages pages) {
    memory.accept((long) pages.pageBytes() * missing.size());
    loads++;
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

  /// What one attempt has found in memory.
  private static final class Kept {
    private final Map<Place, Object> clean = new HashMap<>();

    /// Nodes that were dirty when they were found. Written and loaded again by its parent, such a
    /// node is another object, and has a place.
    private final IdentityHashMap<Node, Object> dirty = new IdentityHashMap<>();

    /// Those again, in the order in which they were found, so that a simulation repeats.
    private final List<Node> dirtyNodes = new ArrayList<>();

    /// Whether all was found once.
    private boolean isComplete;

    private void keep(Node node, Object page) {
      if (node.isClean()) {
        clean.put(Place.of(node), page);
      } else if (dirty.put(node, page) == null) {
        dirtyNodes.add(node);
      }
    }

    private @Nullable Object find(Node node) {
      Object page = dirty.get(node);
      if (page == null) {
        page = clean.get(Place.of(node));
      }
      // Few are written between the two looks of one attempt.
      return page != null || !isComplete ? page : findWritten(Place.of(node));
    }

    private @Nullable Object findWritten(Place place) {
      for (Node each : dirtyNodes) {
        if (Place.of(each).equals(place)) {
          return dirty.get(each);
        }
      }
      return null;
    }
  }
}
