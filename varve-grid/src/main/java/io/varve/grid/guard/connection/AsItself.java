package io.varve.grid.guard.connection;

import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.infinispan.security.GroupPrincipal;
import org.infinispan.security.Security;

/// What a node asks of its own caches. With users, Infinispan refuses what is asked for without a
/// name. It lets no package other than its own ask so.
public final class AsItself {
  private static final Subject NODE =
      new Subject(/* readOnly= */ true, Set.of(new GroupPrincipal("admin")), Set.of(), Set.of());

  private AsItself() {}

  /// Does something as an administrator.
  public static <T> T call(Supplier<T> action) {
    return Security.doAs(NODE, action);
  }

  /// Does something as an administrator.
  public static void run(Runnable action) {
    Security.doAs(NODE, action);
  }
}
