package io.varve.cache;

import io.varve.cache.internal.marshal.AllowedClasses;
import io.varve.cache.internal.marshal.ScalarMarshaller;
import io.varve.cache.internal.marshal.SerializationMarshaller;
import io.varve.cache.internal.marshal.SerializationMarshaller.Use;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// Marshallers that come with Varve.
///
/// @since 1.0
public final class Marshallers {
  private Marshallers() {}

  /// The default for values: strings, numbers, booleans, characters, UUIDs and byte arrays in a
  /// compact form of their own, other objects by [#serialization].
  ///
  /// @param type the type of a cache's values; it, or what it is an array of, and the classes that
  ///   it declares are allowed, unless it is `Object`
  /// @param loader where classes are looked for
  /// @param allowed patterns of further classes
  public static <T> Marshaller<T> ofType(Class<T> type, ClassLoader loader, String... allowed) {
    return new ScalarMarshaller<>(
        new SerializationMarshaller<>(loader, patterns(type, allowed), Use.VALUES));
  }

  /// The default for keys: as [#ofType], but equal keys are written equally, for which keys may
  /// hold no collections and no maps. Parts of one class that are equal become one part.
  public static <T> Marshaller<T> ofKeys(Class<T> type, ClassLoader loader, String... allowed) {
    return new ScalarMarshaller<>(
        new SerializationMarshaller<>(loader, patterns(type, allowed), Use.KEYS));
  }

  /// A marshaller for values by another library, found as a [MarshallerProvider]: `kryo` and
  /// `protobuf` with the module `varve-marshal`. Scalars have their compact form all the same, and
  /// classes are allowed as for [#ofType].
  ///
  /// @param name of the library
  /// @throws CacheException if there is none of that name
  public static <T> Marshaller<T> named(
      String name, Class<T> type, ClassLoader loader, String... allowed) {
    List<String> known = new ArrayList<>();
    for (MarshallerProvider provider :
        ServiceLoader.load(MarshallerProvider.class, Marshallers.class.getClassLoader())) {
      if (provider.name().equals(name)) {
        AllowedClasses classes = new AllowedClasses(patterns(type, allowed));
        return new ScalarMarshaller<>(provider.ofValues(type, loader, classes::permits));
      }
      known.add(provider.name());
    }
    throw new CacheException(
        "no marshaller of that name: name="
            + name
            + ", known="
            + known
            + "; put varve-marshal, or what provides it, next to varve-cache");
  }

  private static List<String> patterns(Class<?> type, String[] allowed) {
    List<String> patterns = new ArrayList<>(Arrays.asList(allowed));
    patterns.addAll(Arrays.asList(Defaults.allowed()));
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element != Object.class && !element.isPrimitive()) {
      patterns.add(element.getName());
      patterns.add(element.getName() + "$*");
    }
    return patterns;
  }

  /// Java serialization with a filter: of classes of `java.base` that hold plain values, and of
  /// those that a pattern names; all others are refused, on both ways.
  ///
  /// @param loader where classes are looked for, or null for that of this library
  /// @param allowed a class name, a package as `com.example.*`, a package and those below it as
  ///   `com.example.**`, or `*` for every class, which is only safe if nobody else can write to the
  ///   store's files
  public static <T> Marshaller<T> serialization(@Nullable ClassLoader loader, String... allowed) {
    ClassLoader chosen = loader == null ? Marshallers.class.getClassLoader() : loader;
    return new SerializationMarshaller<>(chosen, Arrays.asList(allowed), Use.VALUES);
  }
}
