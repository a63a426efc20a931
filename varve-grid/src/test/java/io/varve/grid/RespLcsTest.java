package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// LCS-1: `LCS` as Redis 7.0.15 answers it.
@Timeout(120)
class RespLcsTest extends SharedNode {
  private static final String FIRST = "ohmytext";
  private static final String SECOND = "mynewtext";

  private static RawResp client(String version) throws Exception {
    var redis = new RawResp(node.port());
    redis.call("HELLO", version);
    redis.call("DEL", "l");
    redis.call("SET", "a", FIRST);
    redis.call("SET", "b", SECOND);
    redis.call("RPUSH", "l", "x");
    return redis;
  }

  @Test
  void whatIsCommonIsAnswered() throws Exception {
    for (String version : new String[] {"2", "3"}) {
      String map = version.equals("2") ? "*4 " : "%2 ";
      try (RawResp redis = client(version)) {
        assertThat(redis.call("LCS", "a", "b")).isEqualTo("$6 mytext ");
        assertThat(redis.call("LCS", "a", "b", "LEN", "MINMATCHLEN", "4")).isEqualTo(":6 ");
        assertThat(redis.call("LCS", "a", "b", "IDX"))
            .isEqualTo(map + "$7 matches *2 *2 *2 :4 :7 *2 :5 :8 *2 *2 :2 :3 *2 :0 :1 $3 len :6 ");
        assertThat(redis.call("LCS", "a", "b", "idx", "minmatchlen", "3", "withmatchlen"))
            .isEqualTo(map + "$7 matches *1 *3 *2 :4 :7 *2 :5 :8 :4 $3 len :6 ");
      }
    }
  }

  @Test
  void aKeyMayBeAbsentOrNamedTwice() throws Exception {
    try (RawResp redis = client("2")) {
      assertThat(redis.call("LCS", "a", "absent")).isEqualTo("$0  ");
      assertThat(redis.call("LCS", "absent", "b", "LEN")).isEqualTo(":0 ");
      assertThat(redis.call("LCS", "absent", "absent", "IDX"))
          .isEqualTo("*4 $7 matches *0 $3 len :0 ");
      assertThat(redis.call("LCS", "a", "a")).isEqualTo("$8 " + FIRST + " ");
      assertThat(redis.call("LCS", "a", "a", "LEN")).isEqualTo(":8 ");
    }
  }

  /// As Redis 6.2 has it.
  @Test
  void theOldNameOfTheCommandAnswersAlike() throws Exception {
    try (RawResp redis = client("2")) {
      assertThat(redis.call("STRALGO", "LCS", "KEYS", "a", "b")).isEqualTo("$6 mytext ");
      assertThat(redis.call("STRALGO", "LCS", "KEYS", "a", "absent")).isEqualTo("$0  ");
      assertThat(redis.call("STRALGO", "LCS", "KEYS", "a", "a", "LEN")).isEqualTo(":8 ");
      assertThat(redis.call("STRALGO", "LCS", "STRINGS", "a", "b")).startsWith("-");
      assertThat(redis.call("STRALGO", "LCS", "KEYS", "a")).startsWith("-");
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    try (RawResp redis = client("2")) {
      for (String words :
          new String[] {"l", "b LEN IDX", "b MINMATCHLEN", "b IDX MINMATCHLEN x", "b NOPE"}) {
        assertThat(redis.call(("LCS a " + words).split(" "))).as(words).isEqualTo("-ERR ");
      }
    }
  }
}
