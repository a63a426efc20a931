package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;

/// Requests of HTTP as no correct client would send them.
///
/// @param port of the node
record RawHttp(int port) {
  /// What came back.
  record Answer(int status, String text) {}

  /// Sends a request, and reads to the end of the connection.
  ///
  /// @param line method and address
  /// @param headers each a line, in addition to those that any request has
  Answer send(String line, String body, String... headers) throws IOException {
    try (Socket socket = new Socket(Clients.HOST, port)) {
      socket.setSoTimeout(60_000);
      StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\nConnection: close\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      request.append("Content-Length: ").append(body.getBytes(UTF_8).length).append("\r\n\r\n");
      socket.getOutputStream().write((request + body).getBytes(UTF_8));
      String text = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return new Answer(text.isEmpty() ? 0 : Integer.parseInt(text.split(" ")[1]), text);
    }
  }
}
