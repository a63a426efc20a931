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
}
