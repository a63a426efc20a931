/// The codecs that [io.varve.Codec] hands out, a class each.
///
/// Knows values and their bytes. Must not know spaces, maps or stores: a codec is a pure function
/// in each direction. Start at [io.varve.internal.codec.FixedLengthCodec]. Takes no locks.
@NullMarked
package io.varve.internal.codec;

import org.jspecify.annotations.NullMarked;
