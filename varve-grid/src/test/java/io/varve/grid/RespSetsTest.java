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
  })
  @Timeout(20)
  void largeSetsTakeNotLong(String command, int members) throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call(command, "to", "large0", "large1")).isEqualTo(":" + members + " ");
      assertThat(redis.call("SCARD", "to")).isEqualTo(":" + members + " ");
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
