package io.varve.internal.codec;

import io.varve.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;

/// Objects by Java serialization, of allowed classes only. The same [AllowedClasses] decide on both
/// ways, so that what is written can be read.
///
/// @param <T> the values
public final class SerialCodec<T extends Serializable> implements Codec<T> {
  private final Class<T> type;
  private final AllowedClasses allowed;

  /// Makes a codec for `type`, whose values may hold objects of the classes in `parts`.
  public SerialCodec(Class<T> type, Class<?>... parts) {
    this.type = type;
    this.allowed = new AllowedClasses(type, parts);
  }

  @Override
  public byte[] encode(T value) {
    T checked = type.cast(value);
    var bytes = new ByteArrayOutputStream();
    try (var output = new AllowedObjectOutput(bytes, allowed)) {
      output.writeObject(checked);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "value cannot be serialized: type=" + type.getName() + "; see the cause", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public T decode(byte[] bytes) {
    Object value;
    try (var input = new AllowedObjectInput(new ByteArrayInputStream(bytes), type, allowed)) {
      value = input.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      // Damaged bytes lead the JDK into runtime exceptions of many kinds.
      throw new IllegalArgumentException(
          "not a value of this codec: type="
              + type.getName()
              + ", bytes="
              + bytes.length
              + "; see the cause",
          e);
    }
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "not a value of this codec: expected="
              + type.getName()
              + ", found="
              + (value == null ? "null" : value.getClass().getName())
              + "; use the codec that the bytes were written with");
    }
    return type.cast(value);
  }

  @Override
  public String id() {
    return "serialized:" + type.getName();
  }

  @Override
  public String toString() {
    return "Codec[" + type.getName() + "]";
  }
}
