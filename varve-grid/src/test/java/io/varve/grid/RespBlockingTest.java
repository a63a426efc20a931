package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// BLOCKED-1 to BLOCKED-4: no element is lost by a client that waits for one.
@Timeout(300)
class RespBlockingTest {
  private static final int CLIENTS = 8;

  @TempDir static Path data;

  private static Node node;

  private RawResp redis;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @BeforeEach
  void connect() throws Exception {
    redis = new RawResp(node.port());
    redis.call("FLUSHALL");
  }

  private static void send(RawResp client, String... words) throws Exception {
    StringBuilder array = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      array.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    client.send(array.toString());
  }

  private void awaitBlocked(int clients) throws Exception {
    String count = "blocked_clients:" + clients + " ";
    String answer = redis.call("INFO", "clients");
    for (int look = 0; look < 500 && !answer.contains(count); look++) {
      Thread.sleep(Duration.ofMillis(20));
      answer = redis.call("INFO", "clients");
    }
    assertThat(answer).contains(count);
  }

  @Test
  void aClientThatHasGoneTakesNothing() throws Exception {
    for (String after : new String[] {"", "PING\r\n", "PING\r\n".repeat(1_000)}) {
      try (RawResp waiting = new RawResp(node.port())) {
        send(waiting, "BLPOP", "gone", "0");
        awaitBlocked(1);
        waiting.send(after);
      }
      awaitBlocked(0);
    }
    assertThat(redis.call("RPUSH", "gone", "a", "b")).isEqualTo(":2 ");
    assertThat(redis.call("LRANGE", "gone", "0", "-1")).isEqualTo("*2 $1 a $1 b ");
  }

  @Test
  void eachOfSeveralClientsHasAnElement() throws Exception {
    List<RawResp> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      RawResp waiting = new RawResp(node.port());
      send(waiting, "BLMPOP", "0", "2", "absent", "shared", client % 2 == 0 ? "LEFT" : "RIGHT");
      clients.add(waiting);
    }
    awaitBlocked(CLIENTS);
    for (int element = 0; element < CLIENTS; element += 2) {
      redis.call("RPUSH", "shared", "e" + element, "e" + (element + 1));
    }
    List<String> taken = new ArrayList<>();
    for (RawResp waiting : clients) {
      String answer = waiting.reply();
      assertThat(answer).startsWith("*2 $6 shared *1 $2 e");
      taken.add(answer);
      waiting.close();
    }
    assertThat(taken).doesNotHaveDuplicates();
    assertThat(redis.call("EXISTS", "shared")).isEqualTo(":0 ");
    awaitBlocked(0);
  }

  /// BLOCKED-4
  @Test
  void theEndOfATimeLosesNoElement() throws Exception {
    int pushed = 300;
    int taken = 0;
    try (RawResp waiting = new RawResp(node.port())) {
      for (int element = 0; element < pushed; element++) {
        send(waiting, "BLPOP", "timed", "0.00" + (1 + element % 5));
        Thread.sleep(Duration.ofMillis(element % 6));
        redis.call("RPUSH", "timed", "e" + element);
        taken += waiting.reply().startsWith("*2") ? 1 : 0;
      }
    }
    assertThat(redis.call("LLEN", "timed")).isEqualTo(":" + (pushed - taken) + " ");
  }

  /// BLOCKED-5
  @Test
  void aClientWaitsForTheEndOfATransaction() throws Exception {
    for (int run = 0; run < 50; run++) {
      try (RawResp waiting = new RawResp(node.port())) {
        send(waiting, "BLPOP", "both", "0");
        awaitBlocked(1);
        redis.call("MULTI");
        redis.call("LPUSH", "both", "first");
        redis.call("DEL", "both");
        assertThat(redis.call("EXEC")).isEqualTo("*2 :1 :1 ");
        redis.call("MULTI");
        redis.call("RPUSH", "both", "last");
        redis.call("LPUSH", "both", "middle");
        redis.call("LPUSH", "both", "begin");
        assertThat(redis.call("EXEC")).isEqualTo("*3 :1 :2 :3 ");
        assertThat(waiting.reply()).isEqualTo("*2 $4 both $5 begin ");
      }
      redis.call("DEL", "both");
    }
  }

  @Test
  void aKeyOfAnotherTypeHasNothing() throws Exception {
    try (RawResp waiting = new RawResp(node.port())) {
      send(waiting, "BLPOP", "text", "list", "0");
      awaitBlocked(1);
      redis.call("SET", "text", "x");
      redis.call("RPUSH", "list", "a");
      assertThat(waiting.reply()).isEqualTo("*2 $4 list $1 a ");
      assertThat(waiting.call("BLPOP", "text", "list", "0")).startsWith("-WRONGTYPE");
      redis.call("DEL", "text");
      send(waiting, "BLPOP", "text", "0");
      awaitBlocked(1);
      redis.call("SET", "text", "x");
      redis.call("DEL", "text");
      redis.call("RPUSH", "text", "b");
      assertThat(waiting.reply()).isEqualTo("*2 $4 text $1 b ");
    }
  }

  @Test
  void commandsAfterOneThatWaitsAreAnsweredAfterIt() throws Exception {
    try (RawResp waiting = new RawResp(node.port())) {
      send(waiting, "BRPOP", "later", "0");
      awaitBlocked(1);
      waiting.send("ECHO " + "x".repeat(60_000) + "\r\nPING\r\n");
      redis.call("RPUSH", "later", "a", "b");
      assertThat(waiting.reply()).isEqualTo("*2 $5 later $1 b ");
      assertThat(waiting.reply()).startsWith("$60000 xxx");
      assertThat(waiting.reply()).isEqualTo("+PONG ");
    }
  }

  @Test
  void argumentsAreThoseOfRedis() throws Exception {
    redis.call("RPUSH", "l", "a", "b", "c");
    assertThat(redis.call("BLMPOP", "0", "2", "x", "l", "right", "count", "2"))
        .isEqualTo("*2 $1 l *2 $1 c $1 b ");
    for (String refused :
        List.of(
            "BLPOP l x",
            "BLPOP l -1",
            "BLPOP l inf",
            "BLMPOP x 1 l LEFT",
            "BLMPOP 0 0 l LEFT",
            "BLMPOP 0 2 l LEFT",
            "BLMPOP 0 1 l UP",
            "BLMPOP 0 1 l LEFT COUNT",
            "BLMPOP 0 1 l LEFT COUNT 0",
            "BLMPOP 0 1 l LEFT KOUNT 1")) {
      assertThat(redis.call(refused.split(" "))).as(refused).isEqualTo("-ERR ");
    }
    assertThat(redis.call("LRANGE", "l", "0", "-1")).isEqualTo("*1 $1 a ");
    redis.call("MULTI");
    redis.call("BLPOP", "absent", "0");
    redis.call("BLPOP", "l", "0");
    assertThat(redis.call("EXEC")).isEqualTo("*2 *-1 *2 $1 l $1 a ");
  }
}
