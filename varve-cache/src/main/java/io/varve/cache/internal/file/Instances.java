package io.varve.cache.internal.file;

import java.io.Serial;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import javax.cache.CacheException;
import javax.cache.configuration.Factory;

/// Makes objects of a class that a file names. Factories of one class are equal, so that two caches
/// of one file have equal options.
///
/// @param type has a constructor without parameters
record Instances<T>(Class<? extends T> type) implements Factory<T> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  public T create() {
    try {
      Constructor<? extends T> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true); // a class that is not public can be named in a file, too
      return constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw new CacheException("the constructor failed: class=" + type.getName(), e.getCause());
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new CacheException(
          "an object of a class that a file names cannot be made: class=" + type.getName(), e);
    }
  }
}
