package io.varve.cache.marshal;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers.EnumSerializer;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A Kryo that writes and reads objects of allowed classes. For one thread.
///
/// It writes what it could not read: objects of classes that it cannot make, and any number of
/// nulls in no bytes. So when it meets a class or a collection of nulls it reads what it wrote.
final class AllowedKryo extends Kryo {
  private static final int BUFFER_BYTES = 256;

  /// A deeper nest of objects may overflow the stack.
  private static final int DEPTH_MAX = 500;

  private final AllowedResolver classes;
  private final References references;
  private boolean wroteNulls;

  AllowedKryo(ClassLoader loader, Predicate<Class<?>> allowed) {
    this(loader, new AllowedResolver(allowed), new References());
  }

  private AllowedKryo(ClassLoader loader, AllowedResolver classes, References references) {
    super(classes, references);
    this.classes = classes;
    this.references = references;
    setRegistrationRequired(false);
    setClassLoader(loader);
    setMaxDepth(DEPTH_MAX);
  }

  /// @throws KryoException also if the object could not be read again
  byte[] toBytes(Object object) {
    wroteNulls = false;
    byte[] bytes;
    try (Output output = new Output(BUFFER_BYTES, -1)) {
      writeClassAndObject(output, object);
      bytes = output.toBytes();
    }
    if (classes.hadNewClass() || wroteNulls) {
      fromBytes(bytes);
    }
    return bytes;
  }

  /// @throws KryoException or another exception if the bytes are not those of an object
  Object fromBytes(byte[] bytes) {
    try (BoundedInput input = new BoundedInput(bytes)) {
      references.reading(input);
      Object object = readClassAndObject(input);
      if (object == null || input.position() < input.limit()) {
        throw new KryoException("the bytes are of no object, or of more than one");
      }
      return object;
    }
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as it is declared; asked for enums alone
  public Serializer getDefaultSerializer(Class type) {
    Serializer chosen = super.getDefaultSerializer(type);
    if (chosen.getClass() == EnumSerializer.class) {
      return new UncountedEnums(type);
    }
    return chosen.getClass() == CollectionSerializer.class ? new Collections() : chosen;
  }

  /// Notes collections that have nothing but nulls.
  private final class Collections extends CollectionSerializer<Collection<@Nullable Object>> {
    @Override
    public void write(Kryo kryo, Output output, Collection<@Nullable Object> collection) {
      wroteNulls |= !collection.isEmpty() && collection.stream().allMatch(Objects::isNull);
      super.write(kryo, output, collection);
    }
  }

  /// The number of a constant is no length.
  @SuppressWarnings("rawtypes") // as it is declared
  private static final class UncountedEnums extends EnumSerializer {
    UncountedEnums(Class<? extends Enum> type) {
      super(type);
    }

    @Override
    public Enum read(Kryo kryo, Input input, Class<? extends Enum> type) {
      return ((BoundedInput) input).uncounted(() -> super.read(kryo, input, type));
    }
  }
}
