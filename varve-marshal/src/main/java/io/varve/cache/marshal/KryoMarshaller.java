package io.varve.cache.marshal;

import com.esotericsoftware.kryo.util.Pool;
import io.varve.cache.Marshaller;
import java.util.function.Predicate;
import javax.cache.CacheException;

/// Objects as Kryo writes them, with the names of their classes. A Kryo is for one thread at a
/// time, so there is a pool of them.
///
/// @param <T> the objects
final class KryoMarshaller<T> implements Marshaller<T> {
  private static final String UNSAFE = "kryo.unsafe";

  static {
    // Varve uses public API alone, and Kryo does where it is configured to before it starts.
    if (System.getProperty(UNSAFE) == null) {
      System.setProperty(UNSAFE, "false");
    }
  }

  private final Pool<AllowedKryo> pool;

  KryoMarshaller(ClassLoader loader, Predicate<Class<?>> allowed) {
    this.pool =
        new Pool<>(/* threadSafe= */ true, /* softReferences= */ true) {
          @Override
          protected AllowedKryo create() {
            return new AllowedKryo(loader, allowed);
          }
        };
  }

  @Override
  public byte[] toBytes(T object) {
    AllowedKryo kryo = pool.obtain();
    try {
      byte[] bytes = kryo.toBytes(object);
      pool.free(kryo);
      return bytes;
    } catch (RuntimeException | StackOverflowError e) {
      throw new CacheException(
          "object cannot be written by Kryo so that it can be read: class="
              + object.getClass().getName()
              + ", cause="
              + e
              + "; if a class is not allowed, declare it as the type of the cache or name it in the"
              + " allowed patterns",
          e);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  public T fromBytes(byte[] bytes) {
    AllowedKryo kryo = pool.obtain();
    try {
      Object object = kryo.fromBytes(bytes);
      pool.free(kryo);
      return (T) object;
    } catch (RuntimeException | StackOverflowError e) {
      // A Kryo that failed may be left half-way, and is not used again.
      throw new CacheException(
          "object cannot be read by Kryo: bytes="
              + bytes.length
              + ", cause="
              + e
              + "; open the cache with the marshaller that wrote it; if a class is not allowed,"
              + " declare it as the type of the cache or name it in the allowed patterns",
          e);
    }
  }
}
