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

  /// For values: strings, numbers, booleans, characters, UUIDs and byte arrays in a compact form of
  /// their own, other objects by [#serialization]. A cache that is given no marshaller writes as
  /// this does, and allows the classes that it was given objects of, too.
  ///
  /// @param type the type of a cache's values; it, or what it is an array of, and the classes that
  ///   it declares are allowed, unless it is `Object`
  /// @param loader where classes are looked for
  /// @param allowed patterns of further classes
  public static <T> Marshaller<T> ofType(Class<T> type, ClassLoader loader, String... allowed) {
    return new ScalarMarshaller<>(
        new SerializationMarshaller<>(loader, allowed(type, allowed), Use.VALUES));
  }

  /// For keys: as [#ofType], but equal keys are written equally, for which keys may hold no
  /// collections and no maps. Parts of one class that are equal become one part.
  public static <T> Marshaller<T> ofKeys(Class<T> type, ClassLoader loader, String... allowed) {
    return new ScalarMarshaller<>(
        new SerializationMarshaller<>(loader, allowed(type, allowed), Use.KEYS));
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
        AllowedClasses classes = allowed(type, allowed);
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

  private static AllowedClasses allowed(Class<?> type, String[] patterns) {
    return AllowedClasses.ofType(type, Arrays.asList(patterns), null);
  }

  /// Java serialization with a filter: of classes of `java.base` that hold plain values, and of
  /// those that a pattern names; all others are refused, on both ways. What is not serializable is
  /// written by its fields, if it is a record or has a constructor without parameters.
  ///
  /// @param loader where classes are looked for, or null for that of this library
  /// @param allowed a class name, a package as `com.example.*`, or a package and those below it as
  ///   `com.example.**`; `*` is every class, which is only safe if no one else can write to the
  ///   store's files
  public static <T> Marshaller<T> serialization(@Nullable ClassLoader loader, String... allowed) {
    ClassLoader chosen = loader == null ? Marshallers.class.getClassLoader() : loader;
    return new SerializationMarshaller<>(
        chosen, new AllowedClasses(Arrays.asList(allowed), null), Use.VALUES);
  }
}
