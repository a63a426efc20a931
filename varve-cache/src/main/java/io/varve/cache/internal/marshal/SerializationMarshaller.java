package io.varve.cache.internal.marshal;

import io.varve.cache.Marshaller;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.OutputStream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// Java serialization of allowed classes alone, and of what is not serializable by its fields.
///
/// @param <T> the objects
public final class SerializationMarshaller<T> implements Marshaller<T> {
  private final Loaders loaders;
  private final AllowedClasses allowed;
  private final Use use;

  /// What objects are for.
  public enum Use {
    /// Any.
    VALUES,

    /// Equal ones must be written equally.
    KEYS
  }

  /// Makes a marshaller of allowed classes.
  ///
  /// @param loader where classes are looked for first
  public SerializationMarshaller(ClassLoader loader, AllowedClasses allowed, Use use) {
    this.loaders = new Loaders(loader);
    this.allowed = allowed;
    this.use = use;
  }

  @Override
  public byte[] toBytes(T object) {
    var bytes = new ByteArrayOutputStream(128);
    try (var output = newOutput(bytes)) {
      output.writeObject(object);
      if (output.refused() == null && output.hasPlainObjects() && new Cycles().areIn(object)) {
        throw new NotSerializableException("an object that holds itself");
      }
      requireAllowed(object, output);
      allowed.record(output.unrecorded());
    } catch (WriteLimits.NestException e) {
      throw new CacheException(
          "object is nested too deeply: "
              + allowed.where()
              + "class="
              + object.getClass().getName()
              + ", "
              + e.getMessage()
              + "; keep its parts in fewer levels, as in one list, or give the cache a marshaller",
          e);
    } catch (IOException e) {
      throw new CacheException(
          "object cannot be serialized: "
              + allowed.where()
              + "class="
              + object.getClass().getName()
              + ", part="
              + e.getMessage()
              + "; make it and its parts serializable, records, or classes with a constructor"
              + " without parameters, or give the cache a marshaller",
          e);
    }
    return bytes.toByteArray();
  }

  private void requireAllowed(T object, NotingOutput output) {
    if (output.refused() != null) {
      throw new CacheException(
          "object is of a class that is not allowed: "
              + allowed.where()
              + "class="
              + object.getClass().getName()
              + ", part="
              + output.refused()
              + "; "
              + output.advice());
    }
  }

  private NotingOutput newOutput(OutputStream bytes) throws IOException {
    return use == Use.KEYS
        ? new KeyOutput(bytes, allowed, loaders)
        : new NotingOutput(bytes, allowed, loaders);
  }

  @Override
  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  public T fromBytes(byte[] bytes) {
    String refused = null;
    String exceeded = null;
    try (var input = new AllowedInput(bytes, allowed, loaders, use == Use.KEYS)) {
      try {
        return (T) input.readObject();
      } finally {
        refused = input.refused();
        exceeded = input.exceeded();
      }
    } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
      throw new CacheException(
          "object cannot be deserialized: "
              + allowed.where()
              + "bytes="
              + bytes.length
              + (exceeded == null ? adviceFor(e, refused) : ", exceeded limit: " + exceeded),
          e);
    }
  }

  private static String adviceFor(Throwable failure, @Nullable String refused) {
    if (refused == null && isOfChangedClass(failure)) {
      return "; its class has changed since it was written, or is gone: cause="
          + failure.getMessage()
          + "; remove the entry, or bring the class back with the serialVersionUID that it had";
    }
    return (refused == null ? "" : ", refused class=" + refused)
        + "; if its class is not allowed, "
        + AllowedClasses.ADVICE;
  }

  /// Whether the class of an object cannot take what was written. A filter that refuses an object
  /// for other reasons names no class.
  private static boolean isOfChangedClass(Throwable failure) {
    return failure instanceof InvalidObjectException
        || failure instanceof ClassNotFoundException
        || failure instanceof LinkageError
        || (failure instanceof InvalidClassException invalid && invalid.classname != null);
  }
}
