package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /// CHANNELS-1: names of any length were kept until the connection ended.
  @Test
  void aConnectionKeepsFewBytesOfNames() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (int channel = 0; channel < 20; channel++) {
        String reply = redis.call("SUBSCRIBE", channel + "c".repeat(15_000));
        assertThat(reply).startsWith(channel < 17 ? "*3 $9 subscribe" : "-ERR");
      }
    }
  }

  /// MATCH-1. Some thousand stars overflowed the stack, and the client waited.
  @ParameterizedTest
  @ValueSource(strings = {"KEYS", "SCAN 0 MATCH", "HSCAN h 0 MATCH", "SSCAN s 0 MATCH"})
  void aPatternIsShort(String command) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("HSET", "h", "aé", "v");
      redis.call("SADD", "s", "a".repeat(5_000), "aé");
      String stars = "*a".repeat(511);
      assertThat(call(redis, command + " " + stars + "*b", 0)).endsWith("*0 ");
      assertThat(call(redis, command + " " + stars + "*ab", 0)).startsWith("-ERR");
      redis.call("SET", "aé", "v");
      for (String pattern : List.of("aé", "a[é-ê]", "a\\é", "?é*")) {
        assertThat(call(redis, command + " " + pattern, 0)).as(pattern).contains("$2 aé ");
      }
      assertThat(call(redis, command + " aê", 0)).endsWith("*0 ");
    }
  }

  /// ITERATION-1 to ITERATION-3: a client that began many took all memory, and one whose iteration
  /// had ended was answered as if it had seen all.
  @Test
  void aConnectionHasFewIterations() throws Exception {
    try (RawResp redis = new RawResp(node.port());
        RawResp other = new RawResp(node.port())) {
      redis.call("DEL", "h");
      redis.call("HSET", "h", "a", "1", "b", "2", "c", "3");
      List<String> cursors = new ArrayList<>();
      for (int begun = 0; begun < 65; begun++) {
        cursors.add(redis.call("HSCAN", "h", "0", "COUNT", "1").split(" ")[2]);
        assertThat(redis.call("KEYS", "h")).isEqualTo("*1 $1 h ");
      }
      assertThat(redis.call("HSCAN", "h", cursors.getFirst())).isEqualTo("-ERR ");
      assertThat(redis.call("HSCAN", "h", "12345678901234567890")).isEqualTo("-ERR ");
      assertThat(other.call("HSCAN", "h", cursors.get(1))).startsWith("*2 $1 0 *4 ");
      assertThat(other.call("HSCAN", "h", cursors.get(1))).as("it has ended").isEqualTo("-ERR ");
    }
  }

  /// NUMBERS-1: of numbers beyond 64 bits the lower ones were taken.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INCRBY k N",
        "DECRBY k N",
        "SETRANGE k N x",
        "GETRANGE k 0 N",
        "LRANGE l N 1",
        "LPOP l N",
        "SRANDMEMBER s N",
        "HINCRBY h f N",
        "EXPIRE k N",
        "SET k 1 EX N",
        "LINDEX l N",
        "ZUNION N z y",
        "ZINTERCARD N z y",
        "BLMPOP 1 N l LEFT",
        "SORT l LIMIT N 1"
      })
  void aNumberIsOne(String command) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k", "l", "s", "h", "z", "y");
      redis.call("SET", "k", "1");
      redis.call("RPUSH", "l", "a");
      redis.call("SADD", "s", "a");
      redis.call("ZADD", "z", "1", "a");
      for (String number :
          List.of("18446744073709551618", "+1", "-0", "01", "", " 1", "1x", "1é")) {
        String[] words = command.split(" ");
        words[Arrays.asList(words).indexOf("N")] = number;
        assertThat(redis.call(words)).as(number).startsWith("-ERR");
      }
      assertThat(redis.call("GET", "k")).isEqualTo("$1 1 ");
      assertThat(redis.call("SET", "k", "18446744073709551716")).isEqualTo("+OK ");
      assertThat(redis.call("INCR", "k")).startsWith("-ERR");
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
