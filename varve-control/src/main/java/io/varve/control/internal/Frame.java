package io.varve.control.internal;

/// What is sent over a control socket, in both directions:
///
/// | offset | bytes  | field   | meaning                                                         |
/// |-------:|-------:|---------|-----------------------------------------------------------------|
/// |      0 |      4 | length  | of what follows, 1..[#BYTES_MAX], most significant byte first   |
/// |      4 |      1 | kind    | code of a [FrameKind]                                           |
/// |      5 | length - 1 | payload | as the kind states                                          |
///
/// A connection has one request and its answer. What is longer than a frame is sent in parts.
record Frame(FrameKind kind, byte[] payload) {
  /// The longest payload.
  static final int PAYLOAD_BYTES_MAX = 1 << 16;

  /// The largest length.
  static final int BYTES_MAX = PAYLOAD_BYTES_MAX + 1;
}
