package io.varve.cache.internal.marshal;

import io.varve.cache.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.List;
import javax.cache.CacheException;

/// Java serialization of allowed classes alone.
///
/// @param <T> the objects
public final class SerializationMarshaller<T> implements Marshaller<T> {
  /// Packages of the JDK whose serializable classes hold values and lead to no code but `hashCode`,
  /// `equals` and `compareTo` of their parts.
  private static final String VALUES_OF_THE_JDK =
      "java.lang.Number;java.lang.Boolean;java.lang.Byte;java.lang.Character;java.lang.Short;"
          + "java.lang.Integer;java.lang.Long;java.lang.Float;java.lang.Double;java.lang.String;"
          + "java.lang.Enum;java.lang.Object;java.math.*;java.time.*;java.time.chrono.*;"
          + "java.util.*;java.net.URI";

  private final ClassLoader loader;
  private final ObjectInputFilter filter;

  /// Makes a marshaller that allows values of the JDK and what the patterns name, which are those
  /// of [ObjectInputFilter.Config#createFilter].
  public SerializationMarshaller(ClassLoader loader, List<String> patterns) {
    this.loader = loader;
    String all = String.join(";", patterns);
    this.filter =
        ObjectInputFilter.Config.createFilter(
            VALUES_OF_THE_JDK + ";" + (all.isEmpty() ? "" : all + ";") + "!*");
  }

  @Override
  public byte[] toBytes(T object) {
    var bytes = new ByteArrayOutputStream(128);
    try (var output = new ObjectOutputStream(bytes)) {
      output.writeObject(object);
    } catch (IOException e) {
      throw new CacheException(
          "object cannot be serialized: class="
              + object.getClass().getName()
              + "; make it and its parts serializable, or give the cache a marshaller",
          e);
    }
    return bytes.toByteArray();
  }

  @Override
  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  public T fromBytes(byte[] bytes) {
    try (var input = new FilteredInput(bytes)) {
      return (T) input.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new CacheException(
          "object cannot be deserialized: bytes="
              + bytes.length
              + "; if its class is not allowed, declare it as the type of the cache or name it in"
              + " the allowed patterns",
          e);
    }
  }

  private final class FilteredInput extends ObjectInputStream {
    FilteredInput(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      setObjectInputFilter(filter);
    }

    /// Looks where the cache's classes are; the default is the nearest loader on the stack.
    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(described.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(described); // primitive types have no name that can be looked up
      }
    }
  }
}
