package io.varve.grid.status;

import java.util.Locale;

/// What a node does, from the start of its process to its end.
public enum Phase {
  /// Loads classes, reads its configuration, starts what needs neither stores nor other nodes.
  STARTING,
  /// Looks for other nodes.
  JOINING,
  /// Opens stores, and recovers those that were not closed cleanly.
  RECOVERING,
  /// Waits for other nodes to come: it must not serve without them.
  WAITING,
  /// Receives the entries of its segments from other nodes.
  TRANSFERRING,
  /// Rebuilds the indexes of its caches from their entries.
  INDEXING,
  /// Serves clients.
  READY,
  /// Closes its ports, then its caches.
  STOPPING;

  /// The name, as operators read it.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether the node is not yet at [#READY], and moves without others.
  boolean mustProgress() {
    return switch (this) {
      case STARTING, JOINING, RECOVERING, TRANSFERRING, INDEXING -> true;
      case WAITING, READY, STOPPING -> false;
    };
  }
}
