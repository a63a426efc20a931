package io.varve.control.internal;

import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One request to a control socket, and its answer as it comes. For one thread.
public final class Exchange implements AutoCloseable {
  /// The longest row or value that is held whole.
  private static final int MESSAGE_BYTES_MAX = 1 << 30;

  private final SocketChannel channel;
  private final FrameInput in;

  private Exchange(SocketChannel channel) {
    this.channel = channel;
    in = new FrameInput(new BufferedInputStream(Channels.newInputStream(channel)));
  }

  /// Whether the store in a directory has a socket.
  public static boolean isPresent(Path directory) {
    try {
      return new SocketPlace(directory).socket() != null;
    } catch (IOException e) {
      return false; // the directory is another user's
    }
  }

  /// Sends a request.
  ///
  /// @param directory of the store
  public static Exchange begin(Path directory, Request request) {
    byte[] json = ControlJson.write(request);
    if (json.length > Frame.PAYLOAD_BYTES_MAX) {
      throw new ControlException(
          Reason.BAD_REQUEST,
          "a request is too long: bytes=" + json.length + ", max=" + Frame.PAYLOAD_BYTES_MAX);
    }
    try {
      return send(directory, json);
    } catch (IOException e) {
      throw new ControlException(
          Reason.FAILED,
          "the process that holds the store does not answer on its control socket: directory="
              + directory
              + "; it may have been killed",
          e);
    }
  }

  private static Exchange send(Path directory, byte[] json) throws IOException {
    var place = new SocketPlace(directory);
    Path socket = place.socket();
    if (socket == null) {
      throw new ControlException(
          Reason.FAILED,
          "the store has no control socket: directory="
              + directory
              + "; no process has it open any more, or one without a socket has");
    }
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    try {
      if (!Peers.isOf(channel, place.owner())) {
        throw new ControlException(
            Reason.REFUSED, "another user listens on the control socket: socket=" + socket);
      }
      request(channel, json);
      return new Exchange(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void request(SocketChannel channel, byte[] json) {
    try {
      new FrameOutput(Channels.newOutputStream(channel)).write(FrameKind.REQUEST, json);
    } catch (IOException _) {
      // A server with too many connections refuses without reading: why is there to be read.
    }
  }

  /// The next key, or null after the last.
  public byte @Nullable [] key() {
    return payload(message(), FrameKind.KEY);
  }

  /// The value of the key before.
  public byte[] value() {
    byte[] value = payload(message(), FrameKind.VALUE);
    if (value == null) {
      throw unexpected(FrameKind.END);
    }
    return value;
  }

  /// The next JSON, or null after the last.
  public byte @Nullable [] json() {
    return payload(message(), FrameKind.JSON);
  }

  /// The next JSON as what it stands for, or null after the last.
  public <T> @Nullable T json(Class<T> type) {
    byte[] json = json();
    return json == null ? null : ControlJson.read(json, type);
  }

  /// Writes a value as it comes.
  ///
  /// @return false if there is none
  public boolean copyValue(OutputStream target) {
    for (int part = 0; ; part++) {
      Frame frame = next();
      switch (frame.kind()) {
        case PART, VALUE -> write(frame, target);
        case END -> {
          return part > 0;
        }
        case ERROR, REQUEST, JSON, KEY, ALIVE -> throw failure(frame);
      }
    }
  }

  private static void write(Frame frame, OutputStream target) {
    try {
      target.write(frame.payload());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte @Nullable [] payload(Frame frame, FrameKind expected) {
    if (frame.kind() == expected) {
      return frame.payload();
    }
    if (frame.kind() == FrameKind.END) {
      return null;
    }
    throw failure(frame);
  }

  private static ControlException failure(Frame frame) {
    if (frame.kind() == FrameKind.ERROR) {
      Failure failure = ControlJson.read(frame.payload(), Failure.class);
      return new ControlException(failure.reason(), failure.message());
    }
    return unexpected(frame.kind());
  }

  private static ControlException unexpected(FrameKind kind) {
    return new ControlException(
        Reason.FAILED, "the process that holds the store answers out of order: found=" + kind);
  }

  private Frame next() {
    try {
      return in.next();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private Frame message() {
    try {
      Frame frame = in.message(MESSAGE_BYTES_MAX);
      while (frame.kind() == FrameKind.ALIVE) {
        frame = in.message(MESSAGE_BYTES_MAX);
      }
      return frame;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static ControlException broken(IOException failure) {
    String message =
        switch (failure) {
          case EOFException _ ->
              "the process that holds the store has ended the connection: it closes, or was killed";
          case ProtocolException e -> String.valueOf(e.getMessage());
          default -> "the connection to the process that holds the store has failed: " + failure;
        };
    return new ControlException(Reason.FAILED, message, failure);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
