package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/// An input that knows the shapes of classes whose objects are written by their fields.
abstract class ShapedInput extends ObjectInputStream {
  ShapedInput(InputStream bytes) throws IOException {
    super(bytes);
  }

  /// The shape of a class.
  ///
  /// @throws java.io.InvalidClassException if the class is not allowed
  abstract PlainShape shape(String className) throws IOException, ClassNotFoundException;
}
