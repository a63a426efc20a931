package io.varve.spring;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;

/// A class that can be as if it had changed since its objects were written.
final class ChangedClass implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private static volatile boolean isChanged;

  static void whileChanged(Runnable action) {
    isChanged = true;
    try {
      action.run();
    } finally {
      isChanged = false;
    }
  }

  @Serial
  private void readObject(ObjectInputStream input) throws IOException, ClassNotFoundException {
    if (isChanged) {
      throw new InvalidClassException(ChangedClass.class.getName(), "local class incompatible");
    }
    input.defaultReadObject();
  }
}
