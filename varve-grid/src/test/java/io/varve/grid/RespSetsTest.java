package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// SETS-1: what is computed of sets, by clients of RESP.
@Timeout(120)
class RespSetsTest extends SharedNode {
  private static final int MEMBERS = 60_000;

  @BeforeAll
  static void fill() throws Exception {
    try (var redis = new RawResp(node.port())) {
      for (int set = 0; set < 2; set++) {
        List<String> words = new ArrayList<>(List.of("SADD", "large" + set));
        for (int member = 0; member < MEMBERS; member++) {
          words.add("m" + (member + set * MEMBERS / 2));
        }
        redis.call(words.toArray(String[]::new));
      }
      redis.call("SADD", "a", "1", "2");
      redis.call("SADD", "b", "2", "3");
      redis.call("SET", "text", "v");
    }
  }

  /// Each took minutes of an event loop, whose other clients had no answer.
  @ParameterizedTest
  @CsvSource({
    "SUNIONSTORE, 90000",
    "SDIFFSTORE, 30000",
    "SINTERSTORE, 30000",
  })
  @Timeout(20)
  void largeSetsTakeNotLong(String command, int members) throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call(command, "to", "large0", "large1")).isEqualTo(":" + members + " ");
      assertThat(redis.call("SCARD", "to")).isEqualTo(":" + members + " ");
    }
  }

  /// Each compared all members with all others as well.
  @Test
  @Timeout(20)
  void largeSetsAreComparedSoon() throws Exception {
    List<String> words = new ArrayList<>(List.of("SMISMEMBER", "large0"));
    for (int member = 0; member < MEMBERS; member++) {
      words.add("m" + (member + MEMBERS / 2));
    }
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SINTERCARD", "2", "large0", "large1")).isEqualTo(":30000 ");
      assertThat(redis.call(words.toArray(String[]::new)))
          .isEqualTo("*" + MEMBERS + " " + ":1 ".repeat(MEMBERS / 2) + ":0 ".repeat(MEMBERS / 2));
    }
  }

  @Test
  void membersAreCountedAndFound() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SINTER", "a", "b", "a")).isEqualTo("*1 $1 2 ");
      assertThat(redis.call("SINTER", "a", "none")).isEqualTo("*0 ");
      assertThat(redis.call("SINTER", "none", "text")).startsWith("-WRONGTYPE");
      assertThat(redis.call("SINTERCARD", "2", "a", "a")).isEqualTo(":2 ");
      assertThat(redis.call("SINTERCARD", "1", "a", "limit", "1")).isEqualTo(":1 ");
      assertThat(redis.call("SINTERCARD", "1", "a", "LIMIT", "0")).isEqualTo(":2 ");
      assertThat(redis.call("SINTERCARD", "1", "a", "LIMIT", "-1")).startsWith("-ERR");
      assertThat(redis.call("SINTERCARD", "1", "a", "b", "1")).startsWith("-ERR");
      assertThat(redis.call("SINTERCARD", "0", "a")).startsWith("-ERR");
      assertThat(redis.call("SINTERCARD", "x", "a")).startsWith("-ERR");
      String[] many = "SMISMEMBER a 1 2 3 1 5 6 7 8 9 10 11 12 13 14 15 16 2 18".split(" ");
      assertThat(redis.call(many)).isEqualTo("*18 :1 :1 :0 :1 " + ":0 ".repeat(12) + ":1 :0 ");
      many[1] = "none";
      assertThat(redis.call(many)).isEqualTo("*18 " + ":0 ".repeat(18));
      many[1] = "text";
      assertThat(redis.call(many)).startsWith("-WRONGTYPE");
    }
  }

  @Test
  void keysMayBeAbsentOrNamedTwice() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SUNION", "none", "a", "a")).startsWith("*2 ");
      assertThat(redis.call("SUNION", "none")).isEqualTo("*0 ");
      assertThat(redis.call("SDIFF", "a", "b", "b", "none")).isEqualTo("*1 $1 1 ");
      assertThat(redis.call("SDIFF", "a", "a")).isEqualTo("*0 ");
      assertThat(redis.call("SDIFF", "none", "a")).isEqualTo("*0 ");
      assertThat(redis.call("SUNIONSTORE", "a2", "a", "b")).isEqualTo(":3 ");
      assertThat(redis.call("SDIFFSTORE", "a2", "a", "a")).isEqualTo(":0 ");
      assertThat(redis.call("EXISTS", "a2")).isEqualTo(":0 ");
      assertThat(redis.call("SUNION", "a", "text")).startsWith("-WRONGTYPE");
      assertThat(redis.call("SDIFF", "a", "text")).startsWith("-WRONGTYPE");
    }
  }
}
