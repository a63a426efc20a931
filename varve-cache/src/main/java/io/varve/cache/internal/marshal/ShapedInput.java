package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// An input that knows the shapes of classes whose objects are written by their fields.
abstract class ShapedInput extends ObjectInputStream {
  ShapedInput(InputStream bytes) throws IOException {
    super(bytes);
  }

  /// The shape of a class.
  ///
  /// @throws java.io.InvalidClassException if the class is not allowed
  abstract PlainShape shape(String className) throws IOException, ClassNotFoundException;

  /// Takes an object that was made of its fields.
  ///
  /// @throws java.io.InvalidObjectException if it takes too much
  abstract void made(Object object, Collection<? extends @Nullable Object> parts)
      throws IOException;
}
