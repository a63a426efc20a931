package io.varve.control.internal;

import java.net.ProtocolException;

/// What a frame of the control socket has.
enum FrameKind {
  /// A [Request] as JSON, the only frame that a client sends.
  REQUEST('Q'),
  /// A part of the next frame that is no part.
  PART('P'),
  /// A result as JSON.
  JSON('J'),
  /// A key.
  KEY('K'),
  /// The value of the key, or of the one that was asked for.
  VALUE('V'),
  /// A sign that more may come; empty.
  ALIVE('A'),
  /// The end of an answer that has succeeded; empty.
  END('E'),
  /// The end of one that has not: a [Failure] as JSON.
  ERROR('X');

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static FrameKind of(int code) throws ProtocolException {
    for (FrameKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new ProtocolException("unknown kind of frame on a control socket: kind=" + code);
  }
}
