package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds objects that hold themselves and are written by their fields: they could not be read,
/// since such an object is made when all of its parts are. For one object and thread.
final class Cycles {
  /// Whether all parts of an object were seen.
  private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();

  /// Whether an object that is written by its fields is among its own parts. Looks into
  /// collections, maps and arrays, too.
  boolean areIn(@Nullable Object object) throws IOException {
    if (object == null) {
      return false;
    }
    boolean isPlain = !(object instanceof Serializable);
    if (!isPlain
        && !(object instanceof Collection<?>)
        && !(object instanceof Map<?, ?>)
        && !(object instanceof Object[])) {
      return false;
    }
    Boolean isDone = seen.putIfAbsent(object, false);
    if (isDone != null) {
      return isPlain && !isDone;
    }
    boolean found =
        switch (object) {
          case Object[] array -> areInAny(Arrays.asList(array));
          case Map<?, ?> map when !isPlain -> areInAny(map.keySet()) || areInAny(map.values());
          case Collection<?> collection when !isPlain -> areInAny(collection);
          default -> areInAny(Arrays.asList(PlainShape.of(object.getClass()).parts(object)));
        };
    seen.put(object, true);
    return found;
  }

  private boolean areInAny(Collection<? extends @Nullable Object> parts) throws IOException {
    for (Object part : parts) {
      if (areIn(part)) {
        return true;
      }
    }
    return false;
  }
}
