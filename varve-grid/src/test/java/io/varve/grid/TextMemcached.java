package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// A client of memcached's text protocol, which sends what a test gives it.
final class TextMemcached implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader in;

  TextMemcached(int port) throws IOException {
    this(new Socket(Clients.HOST, port));
  }

  TextMemcached(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(20_000);
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  void send(String lines) throws IOException {
    socket.getOutputStream().write((lines + "\r\n").getBytes(ISO_8859_1));
  }

  /// A line of an answer, null where the connection has ended.
  @Nullable String line() throws IOException {
    return in.readLine();
  }

  @Nullable String call(String lines) throws IOException {
    send(lines);
    return line();
  }

  /// Sends a line that a value follows.
  ///
  /// @param begin without the length
  @Nullable String store(String begin, String value) throws IOException {
    return call(begin + " " + value.length() + "\r\n" + value);
  }

  /// What a request that reads is answered, without the line that ends it.
  String items(String request) throws IOException {
    send(request);
    StringBuilder items = new StringBuilder();
    for (String line = line(); line != null && !line.equals("END"); line = line()) {
      items.append(line).append(' ');
    }
    return items.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
