package io.varve.query.internal.run;

import io.varve.query.Entity;
import io.varve.query.internal.access.ObjectSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Gives an object other values at some paths. One that is changed in place gets the values again
/// that it had, if the change is refused.
///
/// For one object, and one thread.
///
/// @param <V> the objects
final class ObjectChange<V> implements ObjectSource.Change {
  private final Entity<V> entity;
  private final Map<String, @Nullable Object> values;
  private final List<Runnable> undo = new ArrayList<>();

  ObjectChange(Entity<V> entity, Map<String, @Nullable Object> values) {
    this.entity = entity;
    this.values = values;
  }

  @Override
  @SuppressWarnings("unchecked") // it is equal to one that was found as an object of the entity
  public Object make(Object present) {
    boolean isDone = false;
    try {
      Object next = entity.with((V) present, values, undo);
      isDone = true;
      return next;
    } finally {
      if (!isDone) {
        undo(); // a setter may have refused after others were called
      }
    }
  }

  @Override
  public void undo() {
    undo.forEach(Runnable::run);
  }
}
