package io.varve.cache.internal.container;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.marshal.ScalarMarshaller;
import org.jspecify.annotations.Nullable;

/// Keeps keys on the heap apart from those that users hold and may change.
///
/// @param marshaller what copies; null to store keys by reference
/// @param <K> the keys
public record KeyCopies<K>(@Nullable Marshaller<K> marshaller) {
  K copy(K key) {
    return marshaller == null || ScalarMarshaller.isImmutable(key)
        ? key
        : marshaller.fromBytes(marshaller.toBytes(key));
  }
}
