package io.varve.grid.guard.connection;

import io.netty.buffer.ByteBuf;

/// Follows the frames of a protocol, in the order of their bytes and as they come. It sees lengths
/// before a decoder takes memory for them.
public interface FrameRule {
  /// Longest line of a frame, without its values.
  int LINE_BYTES_MAX = 64 << 10;

  /// Looks at bytes that follow those of the last call. Moves the reader index to their end, or to
  /// the begin of the request that is not allowed, as far as that is there.
  ///
  /// @return whether all lengths in them are allowed
  boolean accept(ByteBuf bytes);

  /// What the client is answered where a length was not allowed, empty if nothing.
  String fault();

  /// Whether the next byte begins a request.
  boolean isBetween();
}
