package io.varve.test;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;

/// Makes virtual threads that run where an executor of ours decides: each time such a thread can go
/// on, the executor is given what runs it to its next stop. The JDK has that, but does not export
/// it, so a JVM that uses it must open `java.lang`.
final class VirtualThreads {
  private static final String OPEN =
      "--add-opens=java.base/java.lang="
          + (VirtualThreads.class.getModule().isNamed() ? "io.varve.test" : "ALL-UNNAMED");

  private VirtualThreads() {}

  /// Makes a thread; it is not started.
  ///
  /// @throws IllegalStateException if the JVM was not started with the option that this needs
  static Thread unstarted(Executor scheduler, String name, Runnable body) {
    try {
      return (Thread) Maker.NEW_THREAD.invoke(null, scheduler, name, 0, body);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "cannot schedule virtual threads on this JDK: version=" + Runtime.version(),
          e instanceof InvocationTargetException wrapped ? wrapped.getCause() : e);
    }
  }

  private static final class Maker {
    static final Method NEW_THREAD = find();

    private static Method find() {
      try {
        Method method =
            Class.forName("java.lang.ThreadBuilders")
                .getDeclaredMethod(
                    "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
        method.setAccessible(true);
        return method;
      } catch (InaccessibleObjectException e) {
        throw new IllegalStateException("start the JVM with " + OPEN, e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            "cannot schedule virtual threads on this JDK: version=" + Runtime.version(), e);
      }
    }
  }
}
