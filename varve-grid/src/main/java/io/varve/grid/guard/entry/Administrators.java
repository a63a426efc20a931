package io.varve.grid.guard.entry;

import io.varve.grid.guard.connection.AsItself;
import javax.security.auth.Subject;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.security.AuthorizationPermission;
import org.infinispan.security.impl.Authorizer;
import org.jspecify.annotations.Nullable;

/// Who may do what Infinispan itself asks for no right, or for another one than the node does.
public final class Administrators {
  private Administrators() {}

  /// Returns if a user is an administrator, or the node has no users. Its check is looked up by the
  /// node itself: the user is not on the thread of each request.
  ///
  /// @throws SecurityException if the user is none
  public static void require(EmbeddedCacheManager caches, @Nullable Subject user) {
    require(caches, user, AuthorizationPermission.ADMIN);
  }

  /// Returns if a user has a right to all caches, or the node has no users.
  ///
  /// @throws SecurityException if the user has not
  public static void require(
      EmbeddedCacheManager caches, @Nullable Subject user, AuthorizationPermission right) {
    AsItself.call(() -> GlobalComponentRegistry.of(caches))
        .getComponent(Authorizer.class)
        .checkPermission(user, right);
  }
}
