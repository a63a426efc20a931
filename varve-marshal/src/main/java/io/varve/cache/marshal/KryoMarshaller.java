package io.varve.cache.marshal;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import com.esotericsoftware.kryo.util.Pool;
import io.varve.cache.Marshaller;
import java.io.IOException;
import java.util.function.Predicate;
import javax.cache.CacheException;

/// Objects as Kryo writes them, with the names of their classes. A Kryo is for one thread at a
/// time, so there is a pool of them.
///
/// @param <T> the objects
final class KryoMarshaller<T> implements Marshaller<T> {
  private static final int BUFFER_BYTES = 256;

  /// A deeper nest of objects may overflow the stack.
  private static final int DEPTH_MAX = 500;

  private static final String UNSAFE = "kryo.unsafe";

  static {
    // Varve uses public API alone, and Kryo does where it is told to before it starts.
    if (System.getProperty(UNSAFE) == null) {
      System.setProperty(UNSAFE, "false");
    }
  }

  private final Pool<Kryo> pool;

  KryoMarshaller(ClassLoader loader, Predicate<Class<?>> allowed) {
    this.pool =
        new Pool<>(/* threadSafe= */ true, /* softReferences= */ true) {
          @Override
          protected Kryo create() {
            Kryo kryo = new Kryo(new AllowedResolver(allowed), new MapReferenceResolver());
            kryo.setRegistrationRequired(false);
            kryo.setClassLoader(loader);
            kryo.setMaxDepth(DEPTH_MAX);
            return kryo;
          }
        };
  }

  @Override
  public byte[] toBytes(T object) {
    Kryo kryo = pool.obtain();
    try (Output output = new Output(BUFFER_BYTES, -1)) {
      kryo.writeClassAndObject(output, object);
      byte[] bytes = output.toBytes();
      pool.free(kryo);
      return bytes;
    } catch (RuntimeException | StackOverflowError e) {
      throw new CacheException(
          "object cannot be written by Kryo: class="
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
    Kryo kryo = pool.obtain();
    try (BoundedInput input = new BoundedInput(bytes)) {
      Object object = kryo.readClassAndObject(input);
      if (object == null || input.available() > 0) {
        throw new IllegalArgumentException("the bytes are of no object, or of more than one");
      }
      pool.free(kryo);
      return (T) object;
    } catch (IOException | RuntimeException | StackOverflowError e) {
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
