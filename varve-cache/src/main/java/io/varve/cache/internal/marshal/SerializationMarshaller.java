package io.varve.cache.internal.marshal;

import io.varve.cache.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.List;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// Java serialization of allowed classes alone.
///
/// @param <T> the objects
public final class SerializationMarshaller<T> implements Marshaller<T> {
  private final ClassLoader loader;
  private final AllowedClasses allowed;
  private final Use use;

  /// What objects are for.
  public enum Use {
    /// Any.
    VALUES,

    /// Equal ones must be written equally.
    KEYS
  }

  /// Makes a marshaller that allows values of the JDK and what the patterns name, which are those
  /// of [java.io.ObjectInputFilter.Config#createFilter].
  public SerializationMarshaller(ClassLoader loader, List<String> patterns, Use use) {
    this.loader = loader;
    this.allowed = new AllowedClasses(patterns);
    this.use = use;
  }

  @Override
  public byte[] toBytes(T object) {
    var bytes = new ByteArrayOutputStream(128);
    String refused;
    try (var output = newOutput(bytes)) {
      output.writeObject(object);
      refused = output.refused();
    } catch (IOException e) {
      throw new CacheException(
          "object cannot be serialized: class="
              + object.getClass().getName()
              + "; make it and its parts serializable, or give the cache a marshaller",
          e);
    }
    if (refused != null) {
      throw new CacheException(
          "object is of a class that is not allowed: class="
              + object.getClass().getName()
              + ", part="
              + refused
              + "; declare the class as the type of the cache, name it in the allowed patterns, or"
              + " give the cache a marshaller");
    }
    return bytes.toByteArray();
  }

  private Output newOutput(OutputStream bytes) throws IOException {
    return use == Use.KEYS
        ? new KeyOutput(bytes, allowed, loader)
        : new Output(bytes, allowed, loader);
  }

  @Override
  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  public T fromBytes(byte[] bytes) {
    try (var input = new Input(bytes)) {
      return (T) input.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new CacheException(
          "object cannot be deserialized: bytes="
              + bytes.length
              + "; if its class is not allowed, declare it as the type of the cache or name it in"
              + " the allowed patterns",
          e);
    }
  }

  /// Notes when an object is written what would be refused when it is read. It continues writing,
  /// since serialization would write an exception, too.
  static class Output extends ObjectOutputStream {
    private final AllowedClasses allowed;
    private final ClassLoader loader;
    private @Nullable String refused;

    Output(OutputStream bytes, AllowedClasses allowed, ClassLoader loader) throws IOException {
      super(bytes);
      this.allowed = allowed;
      this.loader = loader;
    }

    /// The first part that was refused; null if none was.
    final @Nullable String refused() {
      return refused;
    }

    final void refuse(String part) {
      if (refused == null) {
        refused = part;
      }
    }

    @Override
    protected final void annotateClass(Class<?> type) {
      if (!allowed.permits(type)) {
        refuse(type.getTypeName());
      } else if (!isFound(type)) {
        refuse(type.getTypeName() + " of a class loader that the cache does not use");
      }
    }

    /// Whether objects of a class would be of that class again when they are read.
    private boolean isFound(Class<?> type) {
      try {
        return type.isPrimitive() || Class.forName(type.getName(), false, loader) == type;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }

    @Override
    protected final void annotateProxyClass(Class<?> type) {
      refuse("a proxy");
    }
  }

  private final class Input extends ObjectInputStream {
    Input(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
      setObjectInputFilter(allowed.reading(bytes.length));
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
