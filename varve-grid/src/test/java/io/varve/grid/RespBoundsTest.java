package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// BOUND-1: entries do not grow beyond `--value-max` by requests that are shorter.
@Timeout(300)
class RespBoundsTest {
  private static final String PART = "x".repeat(6_000);

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--value-max", "20 KiB");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @ParameterizedTest
  @CsvSource({
    "APPEND k PART,         STRLEN k",
    "LPUSH k PART,          LLEN k",
    "RPUSH k PART,          LLEN k",
    "LPUSHX k PART,         LLEN k",
    "SADD k PART-NUMBER,    SCARD k",
    "HSET k NUMBER PART,    HLEN k",
    "HMSET k NUMBER PART,   HLEN k",
    "HSETNX k NUMBER PART,  HLEN k",
    "ZADD k 1 PART-NUMBER,  ZCARD k",
    "LSET k NUMBER PART,    LRANGE k 3 3",
    "HINCRBY k PART-NUMBER 1, HLEN k",
    "HINCRBYFLOAT k PART-NUMBER 1, HLEN k",
    "ZINCRBY k 1 PART-NUMBER, ZCARD k",
    "SMOVE from k PART-NUMBER, SCARD k",
    "LMOVE from k RIGHT LEFT, LLEN k",
    "LMOVE from k LEFT RIGHT, LLEN k",
    "RPOPLPUSH from k,      LLEN k",
    "BLMOVE from k RIGHT LEFT 0, LLEN k",
    "BRPOPLPUSH from k 0,   LLEN k",
    "SETRANGE k NUMBER0000 PART, STRLEN k",
    "SETRANGE k NUMBER5000 PART, STRLEN k",
  })
  void anEntryDoesNotGrowBeyondTheBound(String add, String length) throws Exception {
    try (RawResp redis = new RawResp(node.port());
        RawResp writer = new RawResp(node.port())) {
      redis.call("DEL", "k");
      if (add.startsWith("LPUSHX")) {
        redis.call("RPUSH", "k", "a");
      }
      if (add.startsWith("LSET")) {
        redis.call("RPUSH", "k", "a", "a", "a", "a");
      }
      for (int number = 0; number < 3; number++) {
        giveToMove(redis, add, number);
        assertThat(call(writer, add, number)).doesNotStartWith("-");
      }
      giveToMove(redis, add, 3);
      String before = redis.call(length.split(" "));
      String refused = call(writer, add, 3);
      assertThat(refused).startsWith("-ERR");
      assertThat(redis.call(length.split(" "))).isEqualTo(before);
    }
  }

  /// Makes the entry that a command moves an element from.
  private static void giveToMove(RawResp redis, String command, int number) throws Exception {
    redis.call("DEL", "from");
    if (command.startsWith("SMOVE")) {
      redis.call("SADD", "from", PART + "-" + number);
    } else if (command.contains(" from ")) {
      redis.call("RPUSH", "from", PART);
    }
  }

  /// An element that is moved within its own list takes nothing more.
  @Test
  void aFullListTurns() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      redis.call("RPUSH", "k", PART, PART, PART);
      assertThat(redis.call("RPOPLPUSH", "k", "k")).startsWith("$");
      assertThat(redis.call("LMOVE", "k", "k", "LEFT", "RIGHT")).startsWith("$");
      assertThat(redis.call("BLMOVE", "k", "k", "LEFT", "RIGHT", "0")).startsWith("$");
    }
  }

  /// QUEUED-1
  @Test
  void aTransactionDoesNotGrowBeyondTheBound() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (int count = 3; count <= 4; count++) {
        redis.call("DEL", "k");
        assertThat(redis.call("MULTI")).isEqualTo("+OK ");
        for (int number = 0; number < 3; number++) {
          assertThat(redis.call("SET", "k", PART)).isEqualTo("+QUEUED ");
        }
        if (count > 3) {
          assertThat(redis.call("SET", "k", PART)).startsWith("-ERR");
        }
        assertThat(redis.call("EXEC")).startsWith(count > 3 ? "-EXECABORT" : "*3");
        assertThat(redis.call("EXISTS", "k")).isEqualTo(count > 3 ? ":0 " : ":1 ");
      }
    }
  }

  /// CHANNELS-1
  @Test
  void aConnectionHasFewChannels() throws Exception {
    String[] words = new String[1_026];
    Arrays.setAll(words, at -> at == 0 ? "SUBSCRIBE" : "c" + at);
    try (RawResp subscriber = new RawResp(node.port());
        RawResp publisher = new RawResp(node.port())) {
      assertThat(subscriber.call(words)).startsWith("-ERR");
      assertThat(subscriber.call("EXISTS", "k")).startsWith(":");
      assertThat(subscriber.call(Arrays.copyOf(words, 1_025)))
          .isEqualTo("*3 $9 subscribe $2 c1 :1 ");
      for (int channel = 2; channel <= 1_024; channel++) {
        assertThat(subscriber.reply()).endsWith(":" + channel + " ");
      }
      assertThat(subscriber.call("SUBSCRIBE", "more")).startsWith("-ERR");
      assertThat(subscriber.call("SUBSCRIBE", "c2")).as("one that it has").doesNotStartWith("-ERR");
      publisher.call("PUBLISH", "c1024", "x");
      assertThat(subscriber.reply()).isEqualTo("*3 $7 message $5 c1024 $1 x ");
      assertThat(subscriber.call("UNSUBSCRIBE", "c1")).startsWith("*3 $11 unsubscribe $2 c1 ");
      assertThat(subscriber.call("SUBSCRIBE", "more")).startsWith("*3 $9 subscribe $4 more ");
    }
  }

  /// CONNECTION-4
  @Test
  void aSubscriberThatDoesNotReadIsCutOff() throws Exception {
    String message = PART + PART + PART;
    long published = 0;
    long received = 0;
    try (Socket subscriber = new Socket(Clients.HOST, node.port());
        RawResp publisher = new RawResp(node.port())) {
      subscriber.setSoTimeout(60_000);
      subscriber.getOutputStream().write("*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\nc\r\n".getBytes(US_ASCII));
      assertThat(subscriber.getInputStream().read()).isEqualTo('*');
      while (published < 64 << 20) {
        publisher.call("PUBLISH", "c", message);
        published += message.length();
      }
      byte[] bytes = new byte[1 << 20];
      int length = subscriber.getInputStream().read(bytes);
      while (length >= 0) {
        received += length;
        length = subscriber.getInputStream().read(bytes);
      }
    } catch (SocketException e) {
      // The node has closed the connection.
    }
    assertThat(received).isLessThan(published);
  }

  private static String call(RawResp redis, String words, int number) throws Exception {
    return redis.call(
        words
            .replace("NUMBER0000", number == 3 ? "30000" : "" + number)
            .replace("NUMBER5000", number == 3 ? "15000" : "" + number) // and PART is longer
            .replace("NUMBER", "" + number)
            .replace("PART", PART)
            .split(" "));
  }
}
