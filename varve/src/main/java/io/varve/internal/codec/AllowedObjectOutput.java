package io.varve.internal.codec;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/// Serializes objects of allowed classes, and refuses others before they are in the store, where
/// nothing could read them.
final class AllowedObjectOutput extends ObjectOutputStream {
  private final AllowedClasses allowed;

  AllowedObjectOutput(OutputStream target, AllowedClasses allowed) throws IOException {
    super(target);
    this.allowed = allowed;
  }

  /// Called once for each class, superclasses too, before an object of it is written.
  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    if (!allowed.contains(type)) {
      throw new InvalidClassException(
          type.getName(), "class is not allowed; list it when the codec is made");
    }
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    throw new InvalidClassException(type.getName(), "proxies are not allowed");
  }
}
