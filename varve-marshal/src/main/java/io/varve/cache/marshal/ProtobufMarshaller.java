package io.varve.cache.marshal;

import io.varve.cache.Marshaller;
import java.io.IOException;
import java.util.function.Predicate;
import javax.cache.CacheException;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.jspecify.annotations.Nullable;

/// Objects as messages of a schema, wrapped in one that names their type. Safe for threads, since
/// the context does not change any more. It knows allowed classes alone; an object may be of a
/// class that is written as another, and is looked at as well.
///
/// @param <T> the objects
final class ProtobufMarshaller<T> implements Marshaller<T> {
  private final SerializationContext context;
  private final Predicate<Class<?>> allowed;

  ProtobufMarshaller(SerializationContext context, Predicate<Class<?>> allowed) {
    this.context = context;
    this.allowed = allowed;
  }

  @Override
  public byte[] toBytes(T object) {
    requireAllowed(object);
    try {
      return ProtobufUtil.toWrappedByteArray(context, object);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new CacheException(
          "object cannot be written as a message: class="
              + object.getClass().getName()
              + ", cause="
              + e
              + "; annotate the class, and those of its parts, name them in a schema that is found"
              + " as a service, and allow them; put collections and arrays into a field of a"
              + " message",
          e);
    }
  }

  private void requireAllowed(Object object) {
    if (!allowed.test(object.getClass())) {
      throw new CacheException(
          "object is of a class that is not allowed: class="
              + object.getClass().getName()
              + "; declare the class as the type of the cache, or name it in the allowed patterns");
    }
  }

  @Override
  public T fromBytes(byte[] bytes) {
    @Nullable T object;
    try {
      object = ProtobufUtil.fromWrappedByteArray(context, bytes);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw unreadable(bytes, e);
    }
    if (object == null) {
      throw unreadable(bytes, null);
    }
    requireAllowed(object);
    return object;
  }

  private static CacheException unreadable(byte[] bytes, @Nullable Throwable cause) {
    return new CacheException(
        "bytes are no message of a schema: bytes="
            + bytes.length
            + "; open the cache with the marshaller, the schemas and the allowed classes that wrote"
            + " it",
        cause);
  }
}
