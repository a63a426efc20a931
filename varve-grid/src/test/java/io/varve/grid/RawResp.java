package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/// A connection of RESP that shows the bytes of replies, with `\r\n` as a space, and of an error
/// its first word alone: the rest is prose.
public final class RawResp implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RawResp(int port) throws IOException {
    this(port, 60_000);
  }

  /// @param waitMillis for a reply
  RawResp(int port, int waitMillis) throws IOException {
    this(new Socket(Clients.HOST, port));
    socket.setSoTimeout(waitMillis);
  }

  /// @param socket connected to a node, and encrypted if that wants it
  public RawResp(Socket socket) throws IOException {
    this.socket = socket;
    in = new BufferedInputStream(socket.getInputStream());
  }

  /// Sends a command as an array; gives its reply.
  public String call(String... words) throws IOException {
    StringBuilder array = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      array.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    send(array.toString());
    return reply();
  }

  void send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /// The next reply, or nothing if the connection has ended.
  String reply() throws IOException {
    String line = line();
    if (line.isEmpty()) {
      return "";
    }
    StringBuilder reply = new StringBuilder(line);
    long number =
        "$*~%>".indexOf(line.charAt(0)) < 0 ? 0 : Long.parseLong(line.substring(1).strip());
    switch (line.charAt(0)) {
      case '$', '=' -> reply.append(number < 0 ? "" : string((int) number));
      case '*', '~', '>' -> elements(reply, number);
      case '%' -> elements(reply, 2 * number);
      case '-' -> reply.setLength(reply.indexOf(" ") + 1);
      default -> {} // A line is all there is.
    }
    return reply.toString();
  }

  private void elements(StringBuilder reply, long count) throws IOException {
    for (long at = 0; at < count; at++) {
      reply.append(reply());
    }
  }

  private String string(int length) throws IOException {
    return new String(in.readNBytes(length + 2), ISO_8859_1).replace("\r\n", " ");
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int letter = in.read(); letter >= 0; letter = in.read()) {
      if (letter == '\n') {
        return line.toString().strip() + " ";
      }
      line.append((char) letter);
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
