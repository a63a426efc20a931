package io.varve.internal.codec;

import io.varve.Codec;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// A component of a record, and the codec that its values are written with.
///
/// @param type boxed
/// @param accessor from an object to an object
/// @param absent what an older version, which lacks the component, is read with; or null
record CodedComponent(
    String name,
    Class<?> type,
    MethodHandle accessor,
    Codec<Object> codec,
    @Nullable Object absent) {
  String id() {
    return name + ":" + codec.id();
  }
}
