package io.varve.internal.codec;

import io.varve.Codec;

/// A codec whose values differ in length, whatever its parts are. Its type marks it as such, since
/// its id is made in each call.
///
/// @param <T> the values
sealed interface VariableLengthCodec<T> extends Codec<T>
    permits ComponentsCodec, EnumCodec, ListCodec, OptionalCodec, TupleCodec {}
