package io.varve.internal.codec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;

/// Serializes objects of allowed classes, and refuses others before they are in the store, where
/// nothing could read them.
///
/// Refusals are unchecked: of an [IOException] the superclass would first try to serialize the
/// exception, and report that it failed.
final class AllowedObjectOutput extends ObjectOutputStream {
  private final AllowedClasses allowed;

  AllowedObjectOutput(OutputStream target, AllowedClasses allowed) throws IOException {
    super(target);
    this.allowed = allowed;
    enableReplaceObject(true);
  }

  /// Replaces nothing. Called for each object before it is written.
  @Override
  protected Object replaceObject(Object part) {
    if (!(part instanceof Serializable)) {
      throw refusal("class is not serializable", part.getClass());
    }
    return part;
  }

  /// Called once for each class, superclasses too, before an object of it is written.
  @Override
  protected void annotateClass(Class<?> type) {
    if (!allowed.contains(type)) {
      throw refusal("class is not allowed in a value; list it when the codec is made", type);
    }
  }

  @Override
  protected void annotateProxyClass(Class<?> type) {
    throw refusal("proxies are not allowed in a value", type);
  }

  private static IllegalArgumentException refusal(String reason, Class<?> type) {
    return new IllegalArgumentException(reason + ": class=" + type.getName());
  }
}
