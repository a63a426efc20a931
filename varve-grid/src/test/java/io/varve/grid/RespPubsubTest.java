package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What clients of RESP are answered of the channels that others subscribe to.
@Timeout(120)
class RespPubsubTest extends SharedNode {
  @Test
  void subscribersOfChannelsAreCounted() throws Exception {
    try (var redis = new RawResp(node.port());
        var first = new RawResp(node.port());
        var second = new RawResp(node.port())) {
      assertThat(redis.call("PUBSUB", "NUMSUB")).isEqualTo("*0 ");
      assertThat(redis.call("PUBSUB", "numsub", "a")).isEqualTo("*2 $1 a :0 ");
      assertThat(first.call("SUBSCRIBE", "a", "b")).startsWith("*3 $9 subscribe $1 a :1");
      assertThat(second.call("SUBSCRIBE", "a")).startsWith("*3 $9 subscribe $1 a :1");
      assertThat(redis.call("PUBSUB", "NUMSUB", "a", "b", "c", "a"))
          .isEqualTo("*8 $1 a :2 $1 b :1 $1 c :0 $1 a :2 ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "b")).isEqualTo("*1 $1 b ");
      assertThat(redis.call("PUBSUB", "NUMPAT")).isEqualTo(":0 ");
    }
    try (var redis = new RawResp(node.port())) {
      await()
          .untilAsserted(
              () -> assertThat(redis.call("PUBSUB", "NUMSUB", "a")).isEqualTo("*2 $1 a :0 "));
    }
  }

  /// CHANNELS-2. It was a subscriber for good, and each command was unknown to it.
  @Test
  void aSubscriberWithoutAChannelIsNone() throws Exception {
    try (var redis = new RawResp(node.port())) {
      for (int time = 0; time < 2; time++) {
        assertThat(redis.call("SUBSCRIBE", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
        assertThat(redis.call("GET", "k")).startsWith("-ERR");
        assertThat(redis.call("UNSUBSCRIBE")).isEqualTo("*3 $11 unsubscribe $1 a :0 ");
        assertThat(redis.call("SET", "k", "v")).isEqualTo("+OK ");
        assertThat(redis.call("UNSUBSCRIBE")).isEqualTo("*3 $11 unsubscribe $-1 :0 ");
      }
    }
  }

  /// CHANNELS-2. The count of channels was that of words.
  @Test
  void aChannelCountsOnce() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SUBSCRIBE", "a", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.reply()).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.call("SUBSCRIBE", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.call("UNSUBSCRIBE", "b")).isEqualTo("*3 $11 unsubscribe $1 b :1 ");
      assertThat(redis.call("GET", "k")).as("it is a subscriber").startsWith("-ERR");
    }
  }

  /// It was 0. At version 3 messages are pushes, and were arrays.
  @Test
  void thoseWhoGetAMessageAreCounted() throws Exception {
    try (var redis = new RawResp(node.port());
        var first = new RawResp(node.port());
        var second = new RawResp(node.port())) {
      assertThat(redis.call("PUBLISH", "news", "x")).isEqualTo(":0 ");
      first.call("HELLO", "3");
      assertThat(first.call("SUBSCRIBE", "news")).isEqualTo(">3 $9 subscribe $4 news :1 ");
      second.call("SUBSCRIBE", "news");
      assertThat(redis.call("PUBLISH", "news", "y")).isEqualTo(":2 ");
      assertThat(first.reply()).isEqualTo(">3 $7 message $4 news $1 y ");
      assertThat(second.reply()).isEqualTo("*3 $7 message $4 news $1 y ");
    }
  }
}
