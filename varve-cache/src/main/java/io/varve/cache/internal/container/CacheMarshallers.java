package io.varve.cache.internal.container;

import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.internal.marshal.AllowedClasses;
import io.varve.cache.internal.marshal.ClassRecord;
import io.varve.cache.internal.marshal.ScalarMarshaller;
import io.varve.cache.internal.marshal.SerializationMarshaller;
import io.varve.cache.internal.marshal.SerializationMarshaller.Use;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a cache turns its keys and values into bytes.
public record CacheMarshallers<K, V>(Marshaller<K> keys, Marshaller<V> values) {
  /// What the options name, and otherwise marshallers that allow what was recorded, too.
  ///
  /// @param loader where classes are looked for first
  public static <K, V> CacheMarshallers<K, V> of(
      CacheOptions<K, V> options, ClassLoader loader, ClassRecord recorded) {
    return new CacheMarshallers<>(
        chosen(options.keyMarshaller(), options.getKeyType(), loader, recorded, Use.KEYS),
        chosen(options.valueMarshaller(), options.getValueType(), loader, recorded, Use.VALUES));
  }

  private static <T> Marshaller<T> chosen(
      @Nullable Marshaller<T> named,
      Class<T> type,
      ClassLoader loader,
      ClassRecord recorded,
      Use use) {
    return named != null
        ? named
        : new ScalarMarshaller<>(
            new SerializationMarshaller<>(
                loader, AllowedClasses.ofType(type, List.of(), recorded), use));
  }
}
