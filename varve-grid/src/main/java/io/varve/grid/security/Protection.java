package io.varve.grid.security;

import org.jspecify.annotations.Nullable;

/// What is between a node and the clients that reach its port.
///
/// @param users whether clients must say who they are
/// @param tls the key that encrypts, or null if nothing does
public record Protection(boolean users, @Nullable Tls tls) {
  /// Whether the server needs a realm: users, a key, or both.
  public boolean needsRealm() {
    return users || tls != null;
  }
}
