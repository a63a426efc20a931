package io.varve.cache.marshal;

import io.varve.cache.Marshaller;
import io.varve.cache.MarshallerProvider;
import java.util.function.Predicate;

/// Kryo, as `kryo`: for objects whose classes have a constructor without parameters, and records.
public final class KryoProvider implements MarshallerProvider {
  /// Made by [java.util.ServiceLoader].
  public KryoProvider() {}

  @Override
  public String name() {
    return "kryo";
  }

  @Override
  public <T> Marshaller<T> ofValues(
      Class<T> type, ClassLoader loader, Predicate<Class<?>> allowed) {
    return new KryoMarshaller<>(loader, allowed);
  }
}
