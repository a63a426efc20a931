package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RESPREQUEST-1, CONNECTION-7: a client that sends what is no RESP is answered what it has asked
/// for before, and what is wrong. Then its connection ends.
@Timeout(120)
class RespFaultsTest {
  private static final String PING = "*1\r\n$4\r\nPING\r\n";

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--value-max", "20 KiB"); // Each write waits for the disk.
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// What comes until the end of the connection, whose output stays open.
  private static String answers(String requests) throws IOException {
    return Clients.answers(node.port(), requests, /* ends= */ false);
  }

  /// In the words of Redis. `_` is the end of a line.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "*abc_                 | invalid multibulk length",
        "*_                    | invalid multibulk length",
        "*2000000_             | invalid multibulk length",
        "*99999999999999999999_| invalid multibulk length",
        "*+1_$4_PING_          | invalid multibulk length",
        "*01_$4_PING_          | invalid multibulk length",
        "*2_$3_GET_$x_         | invalid bulk length",
        "*2_$3_GET_$-1_        | invalid bulk length",
        "*2_$3_GET_$30000_     | invalid bulk length",
        "*1_+PING_             | expected '$', got '+'",
        "*2_$3_GET_:1_         | expected '$', got ':'",
        "*2_$3_GET__k_         | expected '$', got '?'",
        "SET k \"x_            | unbalanced quotes in request",
        "GET 'k'x_             | unbalanced quotes in request",
      })
  void whatIsWrongIsAnswered(String request, String fault) throws IOException {
    String bytes = request.replace("_", "\r\n");
    assertThat(answers(PING + bytes + PING))
        .isEqualTo("+PONG\r\n-ERR Protocol error: " + fault + "\r\n");
  }

  @Test
  void aLineWithoutAnEndIsAnswered() throws IOException {
    String line = "x".repeat(70_000);
    assertThat(answers("PING\r\nGET " + line))
        .isEqualTo("+PONG\r\n-ERR Protocol error: too big inline request\r\n");
    assertThat(answers("*" + line)).isEqualTo("-ERR Protocol error: invalid multibulk length\r\n");
    assertThat(answers(PING + "*1\r\n$" + line))
        .isEqualTo("+PONG\r\n-ERR Protocol error: invalid bulk length\r\n");
  }

  /// RESPREQUEST-3
  @Test
  void aLengthMayComeInParts() throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      for (char letter : ("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n" + PING + "*x\r\n").toCharArray()) {
        socket.getOutputStream().write(letter);
        Thread.onSpinWait();
      }
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .isEqualTo("$2\r\nhi\r\n+PONG\r\n-ERR Protocol error: invalid multibulk length\r\n");
    }
  }

  /// RESPREQUEST-4. Wherever the parts of it end that come together.
  @ParameterizedTest
  @ValueSource(strings = {"*0\r\n", "*-1\r\n", "*-99\r\n", "*0\r\n*-1\r\n"})
  void anArrayOfNothingIsPassedOver(String nothing) throws Exception {
    String requests = nothing + PING + nothing + "PING\r\n" + nothing + PING + "*x\r\n";
    String answers = "+PONG\r\n".repeat(3) + "-ERR Protocol error: invalid multibulk length\r\n";
    assertThat(answers(requests)).isEqualTo(answers);
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      for (char letter : requests.toCharArray()) {
        socket.getOutputStream().write(letter);
        Thread.onSpinWait();
      }
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1)).isEqualTo(answers);
    }
  }

  /// Also those that wait for the disk, and for the commands before them.
  @Test
  void requestsBeforeItAreAnsweredFirst() throws IOException {
    String answers = answers("SET k v\r\nRANDOMKEY\r\n".repeat(200) + "*1\r\n+\r\n" + PING);
    assertThat(answers)
        .isEqualTo(
            "+OK\r\n$1\r\nk\r\n".repeat(200) + "-ERR Protocol error: expected '$', got '+'\r\n");
  }

  /// What the client still sends would else take the answer away from it.
  @Test
  void aClientThatStillSendsGetsTheAnswer() throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      byte[] part = new byte[64 << 10];
      socket
          .getOutputStream()
          .write("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3000000\r\n".getBytes(ISO_8859_1));
      for (int count = 0; count < 3_000_000 / part.length; count++) {
        socket.getOutputStream().write(part);
      }
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .isEqualTo("-ERR Protocol error: invalid bulk length\r\n");
    }
  }

  /// RESPREQUEST-2
  @Test
  void aRequestOfHttpIsNotAnswered() throws IOException {
    assertThat(answers(PING + "POST /\r\nSET k v\r\n")).doesNotContain("-", "OK");
    assertThat(answers("PING\r\nHost: localhost\r\n")).doesNotContain("-");
  }

  @Test
  void anOffsetPastTheBoundIsAnsweredAndNoMore() throws Exception {
    try (var redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      for (String offset : new String[] {"20480", "2147483640", "9223372036854775807"}) {
        assertThat(redis.call("SETRANGE", "k", offset, "x")).isEqualTo("-ERR ");
      }
      assertThat(redis.call("SETRANGE", "k", "99999999999999999999", "x")).isEqualTo("-ERR ");
      assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
      assertThat(redis.call("SETRANGE", "k", "20479", "x")).isEqualTo(":20480 ");
      assertThat(redis.call("MULTI")).isEqualTo("+OK ");
      assertThat(redis.call("SETRANGE", "k", "20480", "x")).isEqualTo("+QUEUED ");
      assertThat(redis.call("EXEC")).isEqualTo("*1 -ERR ");
    }
  }
}
