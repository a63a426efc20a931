package io.varve.cache.internal.jcache;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Does all steps of a close, or of what else is to continue, whether or not some of them fail.
/// Then it throws what the first threw. For one thread.
final class Closing {
  private static final System.Logger LOGGER = System.getLogger(Closing.class.getName());

  private @Nullable Throwable failure;

  /// Does a step.
  Closing step(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    return this;
  }

  /// Notes that a step failed.
  @SuppressWarnings("ReferenceEquality") // an exception cannot suppress itself
  void failed(Throwable e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e) {
      failure.addSuppressed(e);
    }
  }

  /// Throws what a step threw.
  void end() {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("steps throw nothing else", failure);
    }
  }

  /// Closes what users gave to a cache, which may fail: the cache closes all the same. What was
  /// given for several uses is closed once.
  static void closeGiven(@Nullable Object... given) {
    Set<Object> closed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Object each : given) {
      if (each instanceof Closeable closeable && closed.add(closeable)) {
        try {
          closeable.close();
        } catch (IOException | RuntimeException e) {
          LOGGER.log(
              System.Logger.Level.WARNING, "not closed: class=" + each.getClass().getName(), e);
        }
      }
    }
  }
}
