package io.varve.grid.security;

import java.util.Locale;

/// What a user may do, in the roles that Infinispan has without a definition of any.
public enum Role {
  /// Everything.
  ADMIN,
  /// Make and remove caches, counters and schemas, and what [#APPLICATION] may.
  DEPLOYER,
  /// Read and write entries.
  APPLICATION,
  /// Read entries.
  OBSERVER,
  /// See figures.
  MONITOR;

  /// As Infinispan calls it.
  String groupName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
