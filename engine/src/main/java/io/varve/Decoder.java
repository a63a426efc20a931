package io.varve;

import java.lang.foreign.MemorySegment;

/// Reads a value where it is, without a copy.
///
/// A live read is optimistic: the bytes may change while they are read, and then the decoder is
/// called again. So a decoder must be pure (no effect but its result), and must end on any bytes.
/// It may throw on bytes that make no sense: an exception counts only if the bytes were stable. It
/// must not keep the segment or let it escape.
///
/// @param <T> what the value is decoded to
/// @since 1.0
@FunctionalInterface
public interface Decoder<T> {
  /// Decodes the value.
  ///
  /// @param value the bytes of the value, read-only, valid during the call only
  T decode(MemorySegment value);
}
