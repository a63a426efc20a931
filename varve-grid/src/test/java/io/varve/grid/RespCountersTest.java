package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// COUNT-1, STRING-1 and STRING-2: counters of RESP refuse to overflow, lose no increment, and keep
/// their time to live.
@Timeout(300)
class RespCountersTest extends SharedNode {
  @ParameterizedTest
  @CsvSource({
    "9223372036854775807,  INCR k",
    "9223372036854775806,  INCRBY k 2",
    "9223372036854775807,  INCRBY k 9223372036854775807",
    "1,                    DECRBY k -9223372036854775808",
    "-9223372036854775808, DECR k",
    "-9223372036854775807, DECRBY k 2",
    "-9223372036854775808, INCRBY k -1",
    "words,                INCR k",
    "1.5,                  INCRBY k 1",
    "1,                    INCRBY k words",
    "1,                    DECRBY k 9223372036854775808",
  })
  void whatDoesNotFitIsRefused(String value, String add) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "k", value);
      assertThat(redis.call(add.split(" "))).startsWith("-ERR");
      assertThat(redis.call("GET", "k")).endsWith(" " + value + " ");
    }
  }

  /// NUMBERS-1. Of the first two, what was left of them was taken for the number.
  @ParameterizedTest
  @CsvSource({
    "18446744073709551716",
    "+5",
    "words",
    "9223372036854775807",
  })
  void whatIsNoNumberInAHashStays(String value) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("HSET", "h", "f", value, "ten", "10");
      assertThat(redis.call("HINCRBY", "h", "f", "1")).startsWith("-ERR");
      assertThat(redis.call("HGET", "h", "f")).endsWith(" " + value + " ");
      assertThat(redis.call("HINCRBY", "h", "ten", "-12")).isEqualTo(":-2 ");
      assertThat(redis.call("HINCRBY", "h", "none" + value, "3")).isEqualTo(":3 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SET k 7,            INCR k,              8",
    "SET k 7,            INCRBY k 5,          12",
    "SET k 7,            DECR k,              6",
    "SET k 7,            DECRBY k 5,          2",
    "SET k 7,            INCRBYFLOAT k 0.5,   7.5",
    "SET k 7.5,          INCRBYFLOAT k 0.5,   8",
    "SET k 7,            APPEND k 8,          78",
  })
  void theTimeToLiveStays(String make, String change, String value) throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      redis.call(make.split(" "));
      assertThat(redis.call("EXPIRE", "k", "1000")).isEqualTo(":1 ");
      assertThat(redis.call(change.split(" "))).doesNotStartWith("-");
      assertThat(redis.call("GET", "k")).endsWith(" " + value + " ");
      String left = redis.call("TTL", "k").strip();
      assertThat(Long.parseLong(left.substring(1))).as(left).isBetween(900L, 1_000L);
    }
  }

  @Test
  void aCounterBeginsAtZero() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "a", "b", "c", "d");
      assertThat(redis.call("INCR", "a")).isEqualTo(":1 ");
      assertThat(redis.call("DECR", "b")).isEqualTo(":-1 ");
      assertThat(redis.call("INCRBY", "c", "-9223372036854775808"))
          .isEqualTo(":-9223372036854775808 ");
      assertThat(redis.call("DECRBY", "d", "9223372036854775807"))
          .isEqualTo(":-9223372036854775807 ");
    }
  }

  @Test
  void whatIsNoStringIsNoCounter() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "list");
      redis.call("RPUSH", "list", "a");
      assertThat(redis.call("INCR", "list")).startsWith("-WRONGTYPE");
      assertThat(redis.call("APPEND", "list", "b")).startsWith("-WRONGTYPE");
      assertThat(redis.call("LLEN", "list")).isEqualTo(":1 ");
    }
  }

  @Test
  void noIncrementIsLost() throws Exception {
    int each = 200;
    try (ExecutorService clients = Executors.newFixedThreadPool(4);
        RawResp redis = new RawResp(node.port())) {
      redis.call("DEL", "k");
      Callable<Void> client =
          () -> {
            try (RawResp own = new RawResp(node.port())) {
              for (int i = 0; i < each; i++) {
                own.call("INCR", "k");
              }
            }
            return null;
          };
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(clients.submit(client));
      }
      for (Future<Void> one : all) {
        one.get();
      }
      assertThat(redis.call("INCRBY", "k", "0")).isEqualTo(":" + 4 * each + " ");
    }
  }
}
