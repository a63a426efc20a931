package io.varve.grid.guard;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A call of an interface that a proxy hands to the object that it stands before.
final class ProxiedCall {
  private ProxiedCall() {}

  /// @throws Throwable what the method throws
  static @Nullable Object pass(Object to, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(to, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNullElse(e.getCause(), e);
    }
  }
}
