package io.varve.grid.guard.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A private field of Infinispan, where it publishes nothing in its place. A node does not start on
/// a version of Infinispan without it.
public final class PrivateField {
  private PrivateField() {}

  /// Access to the field of a class.
  ///
  /// @throws IllegalStateException if the class has no such field
  public static VarHandle of(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "a class is not as the node needs it: class="
              + owner.getName()
              + ", field="
              + name
              + "; use the version of Infinispan that the node was built with",
          e);
    }
  }
}
