package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.resp.command.BegunTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// BLOCKED-1 to BLOCKED-6, BLOCKED-10, BLOCKED-11, SERVING-1: no element is lost by a client that
/// waits for one, and those that wait are served in order.
@Timeout(300)
class RespBlockingTest extends SharedNode {
  private static final int CLIENTS = 8;

  private RawResp redis;

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

  /// Clients that wait, in the order of their calls.
  private List<RawResp> waiting(String... calls) throws Exception {
    List<RawResp> clients = new ArrayList<>();
    for (String call : calls) {
      RawResp client = new RawResp(node.port());
      send(client, call.split(" "));
      clients.add(client);
      awaitBlocked(clients.size());
    }
    return clients;
  }

  private static void close(List<RawResp> clients) throws Exception {
    for (RawResp client : clients) {
      client.close();
    }
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

  /// CONNECTION-8, BLOCKED-11. Its connection was open for some 20 ms after its end, in which it
  /// took the next element.
  @ParameterizedTest
  @CsvSource({
    "BLPOP left 0,               RPUSH left a,  BLPOP left 5,     *2 $4 left $1 a",
    "BLMPOP 0 1 left RIGHT,      RPUSH left a,  BLPOP left 5,     *2 $4 left $1 a",
    "BZPOPMIN left 0,            ZADD left 1 a, BZPOPMAX left 5,  *3 $4 left $1 a $1 1",
  })
  void aClientThatIsLeavingTakesNothing(String wait, String add, String take, String taken)
      throws Exception {
    for (int time = 0; time < 3; time++) {
      close(waiting(wait));
      // The end of the client may be seen later: it is served then, and what it took comes back.
      assertThat(redis.call(add.split(" "))).isIn(":1 ", ":0 ");
      assertThat(redis.call(take.split(" "))).isEqualTo(taken + " ");
      awaitBlocked(0);
    }
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

  /// BLOCKED-10: a transaction that began when a client was counted ran during its first look.
  @Test
  void aClientIsCountedAfterItsFirstLook() throws Exception {
    try (RawResp waiting = new RawResp(node.port())) {
      try (var _ = new BegunTransaction()) { // No look begins before its end.
        send(waiting, "BLPOP", "first", "1.5");
        CompletableFuture<String> reply = CompletableFuture.supplyAsync(() -> replyOf(waiting));
        while (!reply.isDone()) {
          assertThat(redis.call("INFO", "clients")).contains("blocked_clients:0 ");
        }
        assertThat(reply.join()).isEqualTo("*-1 ");
        send(waiting, "BLPOP", "first", "0");
      }
      awaitBlocked(1);
      redis.call("RPUSH", "first", "a");
      assertThat(waiting.reply()).isEqualTo("*2 $5 first $1 a ");
      awaitBlocked(0);
    }
  }

  private static String replyOf(RawResp client) {
    try {
      return client.reply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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

  /// BLOCKED-6
  @Test
  void theClientThatWaitsLongestIsServedFirst() throws Exception {
    for (String call : List.of("BLPOP q 0", "BLPOP r q 0", "BLMOVE q t LEFT RIGHT 0")) {
      for (int round = 0; round < 5; round++) {
        List<RawResp> clients = waiting(call, call, call, call, call, call);
        redis.call("RPUSH", "q", "e0");
        redis.call("MULTI");
        redis.call("RPUSH", "q", "e1");
        redis.call("RPUSH", "q", "e2");
        redis.call("EXEC");
        for (int client = 0; client < 3; client++) {
          assertThat(clients.get(client).reply()).as(call).endsWith("$2 e" + client + " ");
        }
        redis.call("RPUSH", "q", "e3");
        redis.call("RPUSH", "q", "e4");
        redis.call("RPUSH", "q", "e5");
        for (int client = 3; client < 6; client++) {
          assertThat(clients.get(client).reply()).as(call).endsWith("$2 e" + client + " ");
        }
        close(clients);
        awaitBlocked(0);
      }
    }
  }

  /// The keys that a transaction has changed are served one after the other, in order.
  @Test
  void theFirstKeyOfATransactionIsServedFirst() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<RawResp> clients =
          waiting(
              "BLMPOP 0 2 q r LEFT COUNT 1",
              "BLMPOP 0 2 q r RIGHT COUNT 10",
              "BLMPOP 0 2 q r LEFT COUNT 10",
              "BLMPOP 0 2 q r RIGHT COUNT 1");
      redis.call("MULTI");
      redis.call("RPUSH", "q", "a", "b", "c");
      redis.call("RPUSH", "r", "1", "2", "3");
      redis.call("EXEC");
      assertThat(clients.get(0).reply()).isEqualTo("*2 $1 q *1 $1 a ");
      assertThat(clients.get(1).reply()).isEqualTo("*2 $1 q *2 $1 c $1 b ");
      assertThat(clients.get(2).reply()).isEqualTo("*2 $1 r *3 $1 1 $1 2 $1 3 ");
      redis.call("LPUSH", "r", "last", "not");
      assertThat(clients.get(3).reply()).isEqualTo("*2 $1 r *1 $4 last ");
      close(clients);
      redis.call("FLUSHALL");
      awaitBlocked(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // what makes o, what adds to q
    "'',            LPUSH q a,                BLPOP q 0,        *2 $1 q $1 a",
    "'',            RPUSH q a,                BLMOVE q t LEFT LEFT 0, $1 a",
    "RPUSH o a,     LMOVE o q LEFT LEFT,      BRPOP q 0,        *2 $1 q $1 a",
    "RPUSH o a,     RPOPLPUSH o q,            BRPOPLPUSH q t 0, $1 a",
    "RPUSH o a,     BLMOVE o q LEFT LEFT 0,   BLPOP q 0,        *2 $1 q $1 a",
    "RPUSH o a,     RENAME o q,               BLPOP q 0,        *2 $1 q $1 a",
    "RPUSH o a,     RENAMENX o q,             BLPOP q 0,        *2 $1 q $1 a",
    "RPUSH o a,     COPY o q,                 BLMPOP 0 1 q LEFT, *2 $1 q *1 $1 a",
    "SADD o 1,      SORT o STORE q,           BLPOP q 0,        *2 $1 q $1 1",
    "'',            ZADD q 1 a,               BZPOPMIN q 0,     *3 $1 q $1 a $1 1",
    "'',            ZINCRBY q 1 a,            BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    ZUNIONSTORE q 1 o,        BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    ZINTERSTORE q 1 o,        BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    ZDIFFSTORE q 1 o,         BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    ZRANGESTORE q o 0 -1,     BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    RENAME o q,               BZPOPMAX q 0,     *3 $1 q $1 a $1 1",
    "ZADD o 1 a,    COPY o q,                 BZMPOP 0 1 q MIN, *2 $1 q *1 *2 $1 a $1 1",
  })
  void eachCommandThatAddsWakesAClient(String make, String add, String call, String reply)
      throws Exception {
    List<RawResp> clients = waiting(call);
    if (!make.isEmpty()) {
      redis.call(make.split(" "));
    }
    assertThat(redis.call(add.split(" "))).doesNotStartWith("-");
    assertThat(clients.getFirst().reply()).isEqualTo(reply + " ");
    close(clients);
    awaitBlocked(0);
  }

  /// SERVING-1
  @Test
  void aPushIsAnsweredAfterThoseThatWait() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<RawResp> clients =
          waiting("BLMOVE a b RIGHT LEFT 0", "BLMOVE b c LEFT RIGHT 0", "BRPOPLPUSH c a 0");
      redis.call("RPUSH", "a", "e");
      assertThat(redis.call("LRANGE", "a", "0", "-1")).isEqualTo("*1 $1 e ");
      assertThat(redis.call("EXISTS", "b", "c")).isEqualTo(":0 ");
      for (RawResp client : clients) {
        assertThat(client.reply()).isEqualTo("$1 e ");
      }
      redis.call("DEL", "a");
      close(clients);
    }
    List<RawResp> clients = waiting("BLMOVE a b LEFT LEFT 0");
    redis.call("WATCH", "b");
    redis.call("RPUSH", "a", "e");
    redis.call("MULTI");
    redis.call("PING");
    assertThat(redis.call("EXEC")).as("b has changed").isEqualTo("*-1 ");
    close(clients);
  }

  /// SERVING-1: the next command finds that the client which waits has taken what was added.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "LMOVE o q LEFT LEFT",
        "BLMOVE o q LEFT LEFT 0",
        "BRPOPLPUSH o q 0",
        "SORT o ALPHA STORE q"
      })
  void eachCommandThatAddsIsAnsweredAfterThoseThatWait(String add) throws Exception {
    for (int round = 0; round < 50; round++) {
      redis.call("RPUSH", "o", "a");
      List<RawResp> clients = waiting("BLMOVE q r LEFT LEFT 0", "BLPOP r 0");
      redis.call(add.split(" "));
      assertThat(redis.call("EXISTS", "q", "r")).as("round %d", round).isEqualTo(":0 ");
      assertThat(clients.get(0).reply()).isEqualTo("$1 a ");
      assertThat(clients.get(1).reply()).isEqualTo("*2 $1 r $1 a ");
      close(clients);
      redis.call("DEL", "o");
    }
  }

  /// SERVING-1, of a command that has waited itself.
  @Test
  void aClientThatHasWaitedIsAnsweredAfterThoseThatWait() throws Exception {
    for (int round = 0; round < 50; round++) {
      List<RawResp> clients = waiting("BLMOVE o q LEFT LEFT 0", "BLPOP q 0");
      redis.call("RPUSH", "o", "a");
      assertThat(clients.get(0).reply()).isEqualTo("$1 a ");
      assertThat(clients.get(0).call("EXISTS", "q")).isEqualTo(":0 ");
      assertThat(clients.get(1).reply()).isEqualTo("*2 $1 q $1 a ");
      close(clients);
    }
  }

  @Test
  void aListThatTakesNothingIsThatOfOneClient() throws Exception {
    redis.call("SET", "text", "x");
    List<RawResp> clients =
        waiting("BLMOVE q text LEFT LEFT 0", "BRPOPLPUSH q q 0", "BLMOVE q t LEFT LEFT 0");
    redis.call("RPUSH", "q", "a");
    assertThat(clients.get(0).reply()).isEqualTo("-WRONGTYPE ");
    assertThat(clients.get(1).reply()).isEqualTo("$1 a ");
    assertThat(clients.get(2).reply()).isEqualTo("$1 a ");
    assertThat(redis.call("LRANGE", "t", "0", "-1")).isEqualTo("*1 $1 a ");
    close(clients);
  }

  @Test
  void aClientThatHasGoneMovesNothing() throws Exception {
    close(waiting("BLMOVE q t LEFT LEFT 0", "BZPOPMIN z 0", "BZMPOP 0 1 z MAX"));
    awaitBlocked(0);
    redis.call("RPUSH", "q", "a");
    redis.call("ZADD", "z", "1", "a");
    assertThat(redis.call("EXISTS", "q", "t", "z")).isEqualTo(":2 ");
    assertThat(redis.call("LLEN", "q")).isEqualTo(":1 ");
  }

  /// Each waits for its own type, and is given it though others have the key first.
  @Test
  void typesDoNotWaitForEachOther() throws Exception {
    List<RawResp> clients = waiting("BZPOPMIN k 0", "BLPOP k 0", "BZPOPMAX k 0");
    redis.call("RPUSH", "k", "a");
    assertThat(clients.get(1).reply()).isEqualTo("*2 $1 k $1 a ");
    redis.call("ZADD", "k", "1", "b", "2", "c");
    assertThat(clients.get(0).reply()).isEqualTo("*3 $1 k $1 b $1 1 ");
    assertThat(clients.get(2).reply()).isEqualTo("*3 $1 k $1 c $1 2 ");
    close(clients);
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
            "BLMPOP 0 1 l LEFT KOUNT 1",
            "BLMOVE l m LEFT UP 0",
            "BLMOVE l m LEFT LEFT",
            "BLMOVE l m LEFT LEFT -0.5",
            "BRPOPLPUSH l m x",
            "BZPOPMIN z -1",
            "BZMPOP 0 1 z LEFT",
            "BZMPOP 0 2 z MIN")) {
      assertThat(redis.call(refused.split(" "))).as(refused).isEqualTo("-ERR ");
    }
    assertThat(redis.call("LRANGE", "l", "0", "-1")).isEqualTo("*1 $1 a ");
    redis.call("MULTI");
    redis.call("BLPOP", "absent", "0");
    redis.call("BLPOP", "l", "0");
    assertThat(redis.call("EXEC")).isEqualTo("*2 *-1 *2 $1 l $1 a ");
  }

  @Test
  void aClientWaitsForABoundedNumberOfKeys() throws Exception {
    String keys = " k".repeat(1_024);
    assertThat(redis.call(("BLPOP" + keys + " 0.01").split(" "))).isEqualTo("*-1 ");
    assertThat(redis.call(("BLPOP" + keys + " k 0.01").split(" "))).isEqualTo("-ERR ");
    assertThat(redis.call(("BZMPOP 0.01 1025 k" + keys + " MIN").split(" "))).isEqualTo("-ERR ");
  }
}
