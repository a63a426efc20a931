package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// KEPT-1, STRING-2 and EXPIRY-1: which changes leave a key its time to live, as Redis documents it
/// for each command, and that a restart takes nothing of it away.
@Timeout(300)
class RespExpiryTest extends SharedNode {
  @ParameterizedTest
  @CsvSource({
    // what makes k (and o), what changes it
    "SET k 7,              INCR k",
    "SET k 7,              INCRBY k 5",
    "SET k 7,              DECR k",
    "SET k 7,              DECRBY k 5",
    "SET k 7,              INCRBYFLOAT k 0.5",
    "SET k 7,              APPEND k 8",
    "SET k abc,            SETRANGE k 1 x",
    "SET k abc,            SETRANGE k 5 x",
    "SET k a,              GETEX k",
    "RPUSH k a b,          LPUSH k c",
    "RPUSH k a b,          LPUSHX k c",
    "RPUSH k a b,          RPUSH k c d",
    "RPUSH k a b,          RPUSHX k c",
    "RPUSH k a b,          LINSERT k BEFORE b c",
    "RPUSH k a b,          LSET k 0 c",
    "RPUSH k a b,          LREM k 1 a",
    "RPUSH k a b c,        LTRIM k 0 1",
    "RPUSH k a b,          LPOP k",
    "RPUSH k a b,          RPOP k",
    "RPUSH k a b,          LMPOP 1 k LEFT",
    "RPUSH k a b,          BLPOP k 1",
    "RPUSH k a b,          BRPOP k 1",
    "RPUSH k a b,          BLMPOP 1 1 k LEFT",
    "RPUSH k a b,          LMOVE k o LEFT RIGHT",
    "RPUSH k a b|RPUSH o a, LMOVE o k LEFT RIGHT",
    "RPUSH k a b,          LMOVE k k LEFT RIGHT",
    "RPUSH k a b,          RPOPLPUSH k o",
    "RPUSH k a b|RPUSH o a, RPOPLPUSH o k",
    "RPUSH k a b,          BLMOVE k o LEFT RIGHT 0",
    "RPUSH k a b|RPUSH o a, BRPOPLPUSH o k 0",
    "SADD k a b,           SADD k c",
    "SADD k a b,           SREM k a",
    "SADD k a b,           SPOP k",
    "SADD k a b,           SMOVE k o a",
    "SADD k a b|SADD o c,  SMOVE o k c",
    "HSET k f 1,           HSET k g 2",
    "HSET k f 1,           HMSET k g 2",
    "HSET k f 1,           HSETNX k g 2",
    "HSET k f 1 g 2,       HDEL k g",
    "HSET k f 1,           HINCRBY k f 2",
    "HSET k f 1,           HINCRBYFLOAT k f 0.5",
    "ZADD k 1 a 2 b,       ZADD k 3 c",
    "ZADD k 1 a 2 b,       ZADD k XX CH 3 a 4 b",
    "ZADD k 1 a 2 b,       ZADD k INCR 3 a",
    "ZADD k 1 a 2 b,       ZINCRBY k 3 a",
    "ZADD k 1 a 2 b,       ZREM k a",
    "ZADD k 1 a 2 b,       ZPOPMIN k",
    "ZADD k 1 a 2 b,       ZPOPMAX k",
    "ZADD k 1 a 2 b,       ZMPOP 1 k MIN",
    "ZADD k 1 a 2 b,       BZPOPMIN k 0",
    "ZADD k 1 a 2 b,       BZMPOP 0 1 k MAX",
    "ZADD k 1 a 2 b,       ZREMRANGEBYRANK k 0 0",
    "ZADD k 1 a 2 b,       ZREMRANGEBYSCORE k 1 1",
    "ZADD k 1 a 1 b,       ZREMRANGEBYLEX k [a [a",
    "PFADD k a,            PFADD k b",
  })
  void aChangeLeavesTheTime(String make, String change) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, make);
      assertThat(redis.call("PEXPIRE", "k", "1000000")).isEqualTo(":1 ");
      String before = redis.call("PEXPIRETIME", "k");
      String value = value(redis);
      assertThat(redis.call(change.split(" "))).doesNotStartWith("-");
      assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(before);
      boolean isSame = change.startsWith("GETEX") || change.startsWith("PFADD"); // has no GET
      assertThat(value(redis).equals(value)).isEqualTo(isSame);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SET k a,              SET k b",
    "SET k a,              GETSET k b",
    "SET k a,              MSET k b",
    "SET k a,              PERSIST k",
    "SET k a,              GETEX k PERSIST",
    "RPUSH k a,            PERSIST k",
    "SADD k a,             PERSIST k",
    "HSET k f a,           PERSIST k",
    "ZADD k 1 a,           PERSIST k",
    "RPUSH k a,            SET k b",
    "SADD k a|SADD o b,    SUNIONSTORE k k o",
    "SADD k a|SADD o a,    SINTERSTORE k k o",
    "SADD k a|SADD o b,    SDIFFSTORE k k o",
    "ZADD k 1 a|ZADD o 2 b, ZUNIONSTORE k 2 k o",
    "ZADD k 1 a|ZADD o 2 a, ZINTERSTORE k 2 k o",
    "ZADD k 1 a|ZADD o 2 b, ZDIFFSTORE k 2 k o",
    "ZADD k 1 a|ZADD o 2 b, ZRANGESTORE k o 0 -1",
    "RPUSH k 1|RPUSH o 2 1, SORT o STORE k",
    "SET k a|SET o b,      RENAME o k",
  })
  void aReplacementHasNone(String make, String change) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, make);
      assertThat(redis.call("PEXPIRE", "k", "1000000")).isEqualTo(":1 ");
      assertThat(redis.call(change.split(" "))).doesNotStartWith("-");
      assertThat(redis.call("PTTL", "k")).isEqualTo(":-1 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    // the time that there is, what is asked, whether it is done
    "PERSIST k,                EXPIRE k 10 NX,      1",
    "PERSIST k,                EXPIRE k 10 XX,      0",
    "PERSIST k,                EXPIRE k 10 GT,      0",
    "PERSIST k,                EXPIRE k 10 LT,      1",
    "PEXPIREAT k 5000000000000, EXPIRE k 10 NX,     0",
    "PEXPIREAT k 5000000000000, EXPIRE k 10 XX,     1",
    "PEXPIREAT k 5000000000000, PEXPIREAT k 5000000000001 GT, 1",
    "PEXPIREAT k 5000000000000, PEXPIREAT k 5000000000000 GT, 0",
    "PEXPIREAT k 5000000000000, PEXPIREAT k 4999999999999 LT, 1",
    "PEXPIREAT k 5000000000000, PEXPIREAT k 5000000000000 LT, 0",
    "PEXPIREAT k 5000000000000, EXPIREAT k 5000000001 GT,     1",
    "PEXPIREAT k 5000000000000, PEXPIREAT k 5000000000001 XX GT, 1",
  })
  void aConditionComparesTimes(String before, String ask, String done) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      redis.call("SADD", "k", "a");
      redis.call(before.split(" "));
      assertThat(redis.call(ask.split(" "))).isEqualTo(":" + done + " ");
      if (ask.startsWith("PEXPIREAT") && done.equals("1")) {
        assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(":" + ask.split(" ")[2] + " ");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EXPIRE k 9223372036854775807",
    "PEXPIRE k 9223372036854775807",
    "EXPIREAT k 9223372036854775807",
    "EXPIRE k words",
    "EXPIRE k 10 NEVER",
    "EXPIRE k 10 NX XX",
    "EXPIRE k 10 GT LT",
  })
  void whatCannotBeIsRefused(String ask) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "k", "a");
      assertThat(redis.call(ask.split(" "))).startsWith("-ERR");
      assertThat(redis.call("PTTL", "k")).isEqualTo(":-1 ");
      assertThat(redis.call("EXPIRE", "absent", "10")).isEqualTo(":0 ");
      assertThat(redis.call("PERSIST", "absent")).isEqualTo(":0 ");
      assertThat(redis.call("PEXPIRETIME", "absent")).isEqualTo(":-2 ");
      assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(":-1 ");
      assertThat(redis.call("EXPIRE", "k", "-1")).isEqualTo(":1 ");
      assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
    }
  }

  private static void make(RawResp redis, String commands) throws Exception {
    redis.call("DEL", "k", "o");
    for (String command : commands.split("\\|")) {
      assertThat(redis.call(command.split(" "))).doesNotStartWith("-");
    }
  }

  private static String value(RawResp redis) throws Exception {
    return switch (redis.call("TYPE", "k")) {
      case "+list " -> redis.call("LRANGE", "k", "0", "-1");
      case "+set " -> redis.call("SMEMBERS", "k");
      case "+hash " -> redis.call("HGETALL", "k");
      case "+zset " -> redis.call("ZRANGE", "k", "0", "-1", "WITHSCORES");
      default -> redis.call("GET", "k");
    };
  }

  /// As a limit of a rate does: each caller adds one, and the first sets the time.
  @Test
  void aTimeThatIsSetAmongIncrementsIsNotLost() throws Exception {
    try (ExecutorService clients = Executors.newFixedThreadPool(3);
        RawResp redis = new RawResp(node.port())) {
      for (int round = 0; round < 20; round++) {
        redis.call("DEL", "k");
        List<Future<Void>> all = new ArrayList<>();
        for (int client = 0; client < 3; client++) {
          all.add(clients.submit(limited()));
        }
        for (Future<Void> one : all) {
          one.get();
        }
        assertThat(redis.call("PTTL", "k")).doesNotStartWith(":-");
      }
    }
  }

  /// Infinispan reads what is left and writes that, later by what the call takes.
  @ParameterizedTest
  @CsvSource({
    "SET k a,   SET k b KEEPTTL",
    "SET k a,   SET k b XX KEEPTTL",
    "SET k a,   SET k b KEEPTTL GET",
    "RPUSH k a, SET k b KEEPTTL",
    "SET k a,   RENAME k k",
  })
  void theTimeStaysToTheMillisecond(String make, String change) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, make);
      redis.call("PEXPIRE", "k", "1000000");
      String before = redis.call("PEXPIRETIME", "k");
      for (int write = 0; write < 50; write++) {
        assertThat(redis.call(change.split(" "))).doesNotStartWith("-");
      }
      assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(before);
      assertThat(redis.call("GET", "k")).startsWith("$1 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SET k b PXAT 5000000000001,    5000000000001",
    "SET k b EXAT 5000000001,       5000000001000",
    "SET k b XX PXAT 5000000000001, 5000000000001",
    "SET k b GET PXAT 5000000000001, 5000000000001",
    "GETEX k PXAT 5000000000001,    5000000000001",
    "GETEX k EXAT 5000000001,       5000000001000",
    "SET k b PXAT 1,                -2",
    "SET k b XX PXAT 1,             -2",
    "GETEX k PXAT 1,                -2",
    "SET o b NX PXAT 5000000000001, -1",
    "SET k b NX PXAT 5000000000001, -1",
    "SET k b XX,                    -1",
  })
  void aTimeOfTheClockIsExact(String change, String expiry) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, "SET k a");
      assertThat(redis.call(change.split(" "))).doesNotStartWith("-");
      assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(":" + expiry + " ");
    }
  }

  @Test
  void aRenamedKeyExpiresWhenItWouldHave() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, "SADD k a|PEXPIREAT k 5000000000001");
      for (String command : List.of("RENAME k o", "RENAMENX o k", "RENAME k o")) {
        assertThat(redis.call(command.split(" "))).isIn("+OK ", ":1 ");
      }
      assertThat(redis.call("PEXPIRETIME", "o")).isEqualTo(":5000000000001 ");
      assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
      assertThat(redis.call("RENAME", "k", "o")).startsWith("-ERR");
      assertThat(redis.call("RENAME", "k", "k")).startsWith("-ERR");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SET k b XX,           OK,   b",
    "SET o b XX,           nil,  a",
    "SET k b NX KEEPTTL,   nil,  a",
    "SET k b KEEPTTL GET,  a,    b",
    "SET k b NX GET EX 10, a,    a",
    "SET k b XX GET EX 10, a,    b",
    "SET k b NX XX,        -ERR, a",
    "SET k b EX 10 PX 10,  -ERR, a",
    "SET k b EX 10 KEEPTTL, -ERR, a",
    "SET k b KEEPTTL EX 10, -ERR, a",
    "SET k b EX,           -ERR, a",
    "SET k b EX 0,         -ERR, a",
    "SET k b PX words,     -ERR, a",
    "SET k b EX 9223372036854775807, -ERR, a",
    "SET k b NEVER,        -ERR, a",
    "GETEX k EX -5,        -ERR, a",
  })
  void anOptionIsAnsweredAsAtRedis(String ask, String reply, String left) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      make(redis, "SET k a");
      String expected =
          switch (reply) {
            case "OK" -> "+OK ";
            case "nil" -> "$-1 ";
            case "-ERR" -> "-ERR ";
            default -> "$1 " + reply + " ";
          };
      assertThat(redis.call(ask.split(" "))).isEqualTo(expected);
      assertThat(redis.call("GET", "k")).isEqualTo("$1 " + left + " ");
      make(redis, "RPUSH k a");
      assertThat(redis.call("SET", "k", "b", "GET")).isEqualTo("-WRONGTYPE ");
    }
  }

  /// (EXPIRE-4) Of clients that ask together one finds what it asks for, and the others what that
  /// one has left.
  @ParameterizedTest
  @CsvSource({
    // what there is, what is asked; of # each client makes a number of its own
    "PERSIST k,            PEXPIREAT k 500000000000# NX",
    "PERSIST k,            PEXPIREAT k 1 NX",
    "PEXPIREAT k 5000000000000, PERSIST k",
  })
  void ofConditionsThatExcludeEachOtherOneHolds(String before, String ask) throws Exception {
    int clients = 4;
    try (ExecutorService threads = Executors.newFixedThreadPool(clients);
        RawResp redis = new RawResp(node.port())) {
      for (int round = 0; round < 100; round++) {
        make(redis, "SADD k a");
        redis.call(before.split(" "));
        CyclicBarrier together = new CyclicBarrier(clients);
        List<Future<String>> replies = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
          String own = ask.replace("#", Integer.toString(client));
          replies.add(
              threads.submit(() -> {
                try (RawResp connection = new RawResp(node.port())) {
                  connection.call("PING");
                  together.await();
                  return connection.call(own.split(" "));
                }
              }));
        }
        int done = 0;
        for (Future<String> reply : replies) {
          done += (int) number(reply.get());
        }
        assertThat(done).as("round %d", round).isEqualTo(1);
      }
    }
  }

  private static long number(String reply) {
    return Long.parseLong(reply.substring(1).strip());
  }

  private static Callable<Void> limited() {
    return () -> {
      try (RawResp own = new RawResp(node.port())) {
        for (int call = 0; call < 10; call++) {
          if (own.call("INCR", "k").equals(":1 ")) {
            own.call("EXPIRE", "k", "1000");
          }
        }
      }
      return null;
    };
  }

  @Test
  void aRestartTakesNothingAway() throws Exception {
    List<String> keys =
        List.of("string", "renewed", "list", "changed", "kept", "read", "seconds", "new");
    List<Long> before = new ArrayList<>();
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "string", "a", "PX", "1000000");
      redis.call("SET", "renewed", "a", "PX", "1000000");
      redis.call("RPUSH", "list", "a");
      redis.call("PEXPIRE", "list", "1000000");
      redis.call("SADD", "changed", "a");
      redis.call("PEXPIRE", "changed", "1000000");
      redis.call("SADD", "changed", "b");
      redis.call("SET", "kept", "a", "PX", "1000000");
      redis.call("SET", "kept", "b", "KEEPTTL");
      redis.call("SET", "read", "a");
      redis.call("GETEX", "read", "PX", "1000000");
      redis.call("SETEX", "seconds", "1000", "a");
      redis.call("SET", "old", "a", "PX", "1000000");
      redis.call("RENAME", "old", "new");
      String first = redis.call("PEXPIRETIME", "renewed");
      do {
        redis.call("SET", "renewed", "b", "PX", "1000000");
        redis.call("PEXPIRE", "list", "1000000");
      } while (redis.call("PEXPIRETIME", "renewed").equals(first)); // in the same millisecond
      for (String key : keys) {
        before.add(number(redis.call("PEXPIRETIME", key)));
      }
    }
    node.close();
    start();
    try (RawResp redis = new RawResp(node.port())) {
      for (int key = 0; key < keys.size(); key++) {
        assertThat(number(redis.call("PEXPIRETIME", keys.get(key))))
            .as(keys.get(key))
            .isEqualTo(before.get(key));
      }
    }
  }

  /// EXPIRE-6
  @Test
  void secondsAreTheNearest() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "k", "v");
      redis.call("PEXPIREAT", "k", "5000000000499");
      assertThat(redis.call("EXPIRETIME", "k")).isEqualTo(":5000000000 ");
      redis.call("PEXPIREAT", "k", "5000000000500");
      assertThat(redis.call("EXPIRETIME", "k")).isEqualTo(":5000000001 ");
      for (int millis = 1_000_000; millis < 1_001_000; millis += 100) {
        redis.call("PEXPIRE", "k", "" + millis);
        long before = number(redis.call("PTTL", "k"));
        long seconds = number(redis.call("TTL", "k"));
        long after = number(redis.call("PTTL", "k"));
        assertThat(seconds).isBetween((after + 500) / 1_000, (before + 500) / 1_000);
      }
      redis.call("PERSIST", "k");
      assertThat(redis.call("TTL", "k")).isEqualTo(":-1 ");
      redis.call("DEL", "k");
      assertThat(redis.call("TTL", "k")).isEqualTo(":-2 ");
    }
  }
}
