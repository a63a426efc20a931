package io.varve.grid.guard.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A call of an interface that a proxy hands to the object that it stands before.
public final class ProxiedCall {
  private ProxiedCall() {}

  /// Calls a method of an object.
  ///
  /// @throws Throwable what the method throws
  public static @Nullable Object pass(
      Object to, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(to, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNullElse(e.getCause(), e);
    }
  }
}
