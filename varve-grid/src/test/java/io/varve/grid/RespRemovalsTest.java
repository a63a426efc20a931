package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// REMOVING-1, REMOVING-2: clients of RESP that remove many elements of one collection.
@Timeout(120)
class RespRemovalsTest extends SharedNode {
  private static final int ELEMENTS = 60_000;
  private static final String EXPIRY = ":32503680000000 ";

  private RawResp redis;

  @BeforeEach
  void connect() throws Exception {
    redis = new RawResp(node.port());
    redis.call("FLUSHALL");
  }

  private static String[] words(
      List<String> first, int from, int to, IntFunction<List<String>> element) {
    List<String> words = new ArrayList<>(first);
    for (int at = from; at < to; at++) {
      words.addAll(element.apply(at));
    }
    return words.toArray(String[]::new);
  }

  private static String[] members(String command, int from, int to) {
    return words(List.of(command, "k"), from, to, at -> List.of("m" + at));
  }

  private void fill(String command) throws Exception {
    switch (command.charAt(0)) {
      case 'S' -> redis.call(members("SADD", 0, ELEMENTS));
      case 'H' ->
          redis.call(words(List.of("HSET", "k"), 0, ELEMENTS, at -> List.of("m" + at, "v")));
      default ->
          redis.call(words(List.of("ZADD", "k"), 0, ELEMENTS, at -> List.of("" + at, "m" + at)));
    }
    redis.call("PEXPIREAT", "k", "32503680000000");
  }

  /// Each took more than ten seconds of an event loop, whose other clients had no answer.
  @ParameterizedTest
  @CsvSource({"SREM, SCARD", "HDEL, HLEN", "ZREM, ZCARD"})
  @Timeout(30)
  void namedElementsAreRemovedSoon(String command, String count) throws Exception {
    fill(command);
    assertThat(redis.call(members(command, ELEMENTS, 2 * ELEMENTS))).isEqualTo(":0 ");
    assertThat(redis.call(members(command, ELEMENTS / 2, 2 * ELEMENTS))).isEqualTo(":30000 ");
    assertThat(redis.call(count, "k")).isEqualTo(":30000 ");
    assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(EXPIRY);
    assertThat(redis.call(members(command, 0, ELEMENTS))).isEqualTo(":30000 ");
    assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
    assertThat(redis.call(members(command, 0, ELEMENTS))).isEqualTo(":0 ");
    redis.call("SET", "k", "text");
    assertThat(redis.call(members(command, 0, ELEMENTS))).isEqualTo("-WRONGTYPE ");
  }

  @ParameterizedTest
  @CsvSource({
    "ZREMRANGEBYRANK k 10000 49999, 39999, m9999, m50000",
    "ZREMRANGEBYRANK k -50000 -10001, 39999, m9999, m50000",
    "ZREMRANGEBYSCORE k 10000 (50000, 39999, m9999, m50000",
  })
  @Timeout(30)
  void rangesAreRemovedSoon(String command, String last, String below, String above)
      throws Exception {
    fill(command);
    assertThat(redis.call(command.split(" "))).isEqualTo(":40000 ");
    assertThat(redis.call("ZCARD", "k")).isEqualTo(":20000 ");
    assertThat(redis.call("ZSCORE", "k", "m10000")).isEqualTo("$-1 ");
    assertThat(redis.call("ZSCORE", "k", "m" + last)).isEqualTo("$-1 ");
    assertThat(redis.call("ZRANK", "k", below)).isEqualTo(":9999 ");
    assertThat(redis.call("ZRANK", "k", above)).isEqualTo(":10000 ");
    assertThat(redis.call("PEXPIRETIME", "k")).isEqualTo(EXPIRY);
    assertThat(redis.call("ZREMRANGEBYSCORE", "k", "-inf", "+inf")).isEqualTo(":20000 ");
    assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
  }

  @Test
  @Timeout(30)
  void aLexicalRangeIsRemovedSoon() throws Exception {
    redis.call(words(List.of("ZADD", "k"), 10_000, 50_000, at -> List.of("0", "m" + at)));
    assertThat(redis.call("ZREMRANGEBYLEX", "k", "[m20000", "(m40000")).isEqualTo(":20000 ");
    assertThat(redis.call("ZRANK", "k", "m40000")).isEqualTo(":10000 ");
    assertThat(redis.call("ZREMRANGEBYLEX", "k", "m2", "m3")).isEqualTo("-ERR ");
  }

  @Test
  @Timeout(30)
  void membersAreTakenSoonAndOnce() throws Exception {
    fill("SADD");
    List<String> taken = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      String reply = redis.call("SPOP", "k", "30000");
      assertThat(reply).startsWith("*30000 $");
      taken.addAll(List.of(reply.substring(7).split("\\$\\d+ ")));
    }
    assertThat(new HashSet<>(taken)).hasSize(ELEMENTS + 1); // and what is before the first
    assertThat(redis.call("EXISTS", "k")).isEqualTo(":0 ");
    fill("SADD");
    assertThat(redis.call("SPOP", "k", "-1")).isEqualTo("-ERR ");
    assertThat(redis.call("SPOP", "k", "x")).isEqualTo("-ERR ");
  }

  /// REMOVING-2
  @Test
  void ofClientsThatRemoveTheSameEachElementIsCountedOnce() throws Exception {
    fill("HSET");
    List<CompletableFuture<Long>> clients = new ArrayList<>();
    for (int client = 0; client < 4; client++) {
      int from = client * 10_000;
      clients.add(
          CompletableFuture.supplyAsync(() -> {
            try (var other = new RawResp(node.port())) {
              String reply = other.call(members("HDEL", from, from + 20_000));
              return Long.parseLong(reply.substring(1).strip());
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }));
    }
    assertThat(clients.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(50_000);
    assertThat(redis.call("HLEN", "k")).isEqualTo(":10000 ");
  }

  /// REMOVING-2. What was left was computed again for each write of another, and each element then
  /// compared with each, for a minute and more.
  @Test
  @Timeout(60)
  void manyAreRemovedWhileOthersAreAdded() throws Exception {
    fill("HSET");
    var isRemoved = new AtomicBoolean();
    List<CompletableFuture<Integer>> clients = new ArrayList<>();
    for (int client = 0; client < 4; client++) {
      String field = "of" + client;
      clients.add(
          CompletableFuture.supplyAsync(() -> {
            try (var other = new RawResp(node.port())) {
              int added = 0;
              for (; !isRemoved.get(); added++) {
                other.call("HSET", "k", field + "-" + added, "v");
              }
              return added;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }));
    }
    try {
      assertThat(redis.call(members("HDEL", 0, 30_000))).isEqualTo(":30000 ");
    } finally {
      isRemoved.set(true);
    }
    int added = clients.stream().mapToInt(CompletableFuture::join).sum();
    assertThat(redis.call("HLEN", "k")).isEqualTo(":" + (ELEMENTS - 30_000 + added) + " ");
  }

  @Test
  void aTransactionRemovesMany() throws Exception {
    fill("SADD");
    redis.call("MULTI");
    redis.call(members("SREM", 0, 50_000));
    redis.call("SCARD", "k");
    assertThat(redis.call("EXEC")).isEqualTo("*2 :50000 :10000 ");
  }

  /// LARGE-2. Several threads wrote them in any order.
  @Test
  void theLastOfSeveralValuesForALargeListStays() throws Exception {
    for (int run = 0; run < 100; run++) {
      redis.call(words(List.of("RPUSH", "k"), 0, 9_000, _ -> List.of("e")));
      redis.call("MSET", "k", "first", "k", "second", "k", "last");
      assertThat(redis.call("GET", "k")).isEqualTo("$4 last ");
      redis.call("DEL", "k");
    }
  }

  /// SLICES-1: commands of many keys, some of which are named twice.
  @Test
  void manyKeysAreAllWrittenReadAndRemoved() throws Exception {
    int keys = 1_000;
    assertThat(redis.call(words(List.of("MSET"), 0, keys, at -> List.of("m" + at, "v" + at))))
        .isEqualTo("+OK ");
    assertThat(redis.call(words(List.of("MSET", "k"), 0, keys, at -> List.of("m" + at, "v"))))
        .isEqualTo("-ERR ");
    assertThat(redis.call("DBSIZE")).isEqualTo(":1000 ");
    String expected = "";
    String[] asked = new String[keys + 2];
    asked[0] = "MGET";
    asked[1] = "absent";
    for (int at = 0; at < keys; at++) {
      asked[at + 2] = "m" + at;
      expected += "$" + ("v" + at).length() + " v" + at + " ";
    }
    assertThat(redis.call(asked)).isEqualTo("*1001 $-1 " + expected);
    for (String command : new String[] {"EXISTS", "TOUCH"}) {
      asked[0] = command;
      asked[1] = "m0";
      assertThat(redis.call(asked)).isEqualTo(":1001 ");
    }
    asked[0] = "DEL";
    assertThat(redis.call(asked)).isEqualTo(":1000 ");
    asked[0] = "UNLINK";
    assertThat(redis.call(asked)).isEqualTo(":0 ");
  }
}
