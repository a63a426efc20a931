package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Replaces in a stream an object that is not serializable: the name of its class, the names of its
/// fields, and what they hold, in this order. Only a [ShapedInput] reads it.
final class PlainObject implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private transient Object object;

  /// @param object one whose class has a [PlainShape]
  PlainObject(Object object) {
    this.object = object;
  }

  @Serial
  private void writeObject(ObjectOutputStream output) throws IOException {
    PlainShape shape = PlainShape.of(object.getClass());
    output.writeObject(shape.typeName());
    output.writeObject(shape.names());
    for (Object part : shape.parts(object)) {
      output.writeObject(part);
    }
  }

  @Serial
  private void readObject(ObjectInputStream input) throws IOException, ClassNotFoundException {
    if (!(input instanceof ShapedInput shapes)) {
      throw new InvalidObjectException("the bytes are not read by a cache");
    }
    PlainShape shape = shapes.shape((String) input.readObject());
    Map<String, @Nullable Object> parts = new HashMap<>();
    for (String name : (String[]) input.readObject()) {
      parts.put(name, input.readObject());
    }
    object = shape.make(parts);
    shapes.made(object, parts.values());
  }

  @Serial
  private Object readResolve() {
    return object;
  }
}
