package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Notes when an object is written what would be refused when it is read, and of which classes it
/// is. It continues writing, since serialization would write an exception, too.
///
/// What is not serializable is written by its fields: see [PlainObject].
class NotingOutput extends ObjectOutputStream {
  private final AllowedClasses allowed;
  private final Loaders loaders;
  private final Set<String> unrecorded = new HashSet<>();
  private final WriteLimits limits = new WriteLimits();
  private boolean hasPlainObjects;
  private @Nullable String refused;
  private String advice = "";

  NotingOutput(OutputStream bytes, AllowedClasses allowed, Loaders loaders) throws IOException {
    super(bytes);
    this.allowed = allowed;
    this.loaders = loaders;
    enableReplaceObject(true);
  }

  /// The first part that was refused; null if none was.
  final @Nullable String refused() {
    return refused;
  }

  /// What to do about it.
  final String advice() {
    return advice;
  }

  final void refuse(String part, String whatToDo) {
    if (refused == null) {
      refused = part;
      advice = whatToDo;
    }
  }

  private void refuse(String part) {
    refuse(part, AllowedClasses.ADVICE);
  }

  /// Classes that are to be recorded before the bytes are used.
  final Set<String> unrecorded() {
    return unrecorded;
  }

  /// Whether an object was written by its fields.
  final boolean hasPlainObjects() {
    return hasPlainObjects;
  }

  @Override
  protected final void annotateClass(Class<?> type) {
    if (type != PlainObject.class) {
      note(type);
    }
  }

  private void note(Class<?> type) {
    if (!allowed.permitsRecorded(type)) {
      refuse(type.getTypeName());
    } else if (!loaders.finds(type)) {
      refuse(type.getTypeName() + " of a class loader that the cache does not use");
    } else if (!allowed.permits(type)) {
      unrecorded.add(AllowedClasses.elementOf(type).getName());
    }
  }

  @Override
  protected final void annotateProxyClass(Class<?> type) {
    refuse("a proxy");
  }

  @Override
  protected Object replaceObject(Object object) throws IOException {
    limits.check(object);
    if (object instanceof Serializable) {
      return object;
    }
    PlainShape.of(object.getClass()); // before it is said to be refused: it may have no shape
    note(object.getClass());
    hasPlainObjects = true;
    return new PlainObject(object);
  }
}
