package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/// A client of memcached's binary protocol, which sends what a test gives it.
final class BinaryMemcached implements AutoCloseable {
  static final int GET = 0x00;
  static final int SET = 0x01;
  static final int ADD = 0x02;
  static final int REPLACE = 0x03;
  static final int INCREMENT = 0x05;
  static final int DECREMENT = 0x06;
  static final int NOOP = 0x0A;
  static final int APPEND = 0x0E;
  static final int PREPEND = 0x0F;
  static final int SET_QUIETLY = 0x11;
  static final int TOUCH = 0x1C;
  static final int GET_AND_TOUCH = 0x1D;

  /// Flags and a time to live, as `SET` and `ADD` have them.
  static final byte[] NO_FLAGS = new byte[8];

  static final byte[] NOTHING = {};
  private static final int HEADER_BYTES = 24;

  private final Socket socket;
  private final DataInputStream in;

  /// @param opaque of the request that it answers
  /// @param number of the item, for a request that is done if it has it
  /// @param flags of the item, 0 in answers that have none
  /// @param value of an answer without a key
  record Answer(int operation, int status, int opaque, long number, int flags, String value) {}

  BinaryMemcached(int port) throws IOException {
    this(new Socket(Clients.HOST, port));
  }

  BinaryMemcached(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
  }

  static byte[] request(int operation, int opaque, byte[] extras, String key, String value) {
    int bodyBytes = extras.length + key.length() + value.length();
    ByteBuffer request = ByteBuffer.allocate(HEADER_BYTES + bodyBytes);
    request.put((byte) 0x80).put((byte) operation).putShort((short) key.length());
    request.put((byte) extras.length).position(8);
    request.putInt(bodyBytes).putInt(opaque).position(HEADER_BYTES);
    request.put(extras).put(key.getBytes(ISO_8859_1)).put(value.getBytes(ISO_8859_1));
    return request.array();
  }

  /// The same request, to be done only if the item has a number.
  static byte[] numbered(byte[] request, long number) {
    ByteBuffer.wrap(request).putLong(16, number);
    return request;
  }

  void send(byte[]... requests) throws IOException {
    var all = ByteBuffer.allocate(1 << 20);
    for (byte[] request : requests) {
      all.put(request);
    }
    socket.getOutputStream().write(all.array(), 0, all.position());
  }

  /// @throws java.io.EOFException if the connection has ended
  Answer answer() throws IOException {
    byte[] bytes = new byte[HEADER_BYTES];
    in.readFully(bytes);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    byte[] body = in.readNBytes(header.getInt(8));
    int valueAt = header.get(4) + header.getShort(2);
    String value = new String(body, valueAt, body.length - valueAt, ISO_8859_1);
    int flags = header.get(4) == Integer.BYTES ? ByteBuffer.wrap(body).getInt() : 0;
    return new Answer(
        header.get(1), header.getShort(6), header.getInt(12), header.getLong(16), flags, value);
  }

  Answer call(int operation, byte[] extras, String key, String value) throws IOException {
    send(request(operation, 7, extras, key, value));
    return answer();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
