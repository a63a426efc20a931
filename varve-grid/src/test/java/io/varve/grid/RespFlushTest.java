package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// FLUSH-1: a flush that was answered left nothing, whatever it is to wait for.
@Timeout(300)
class RespFlushTest {
  @TempDir Path data;

  @Test
  void whatAFlushAnsweredLeftNothing() throws Exception {
    try (Node node = Serving.node(data, "--durability", "BACKGROUND");
        RawResp redis = new RawResp(node.port());
        RawResp other = new RawResp(node.port())) {
      for (int round = 0; round < 3; round++) {
        for (String flush : new String[] {"FLUSHALL ASYNC", "FLUSHDB async", "FLUSHDB SYNC"}) {
          for (int key = 0; key < 200; key++) {
            redis.call("SET", "key-" + key, "value");
          }
          assertThat(redis.call(flush.split(" "))).startsWith("+OK");
          assertThat(other.call("DBSIZE")).as(flush).startsWith(":0");
        }
      }
      redis.call("SET", "k", "x");
      assertThat(redis.call("FLUSHALL", "SOON")).startsWith("-ERR");
      assertThat(redis.call("GET", "k")).endsWith("x ");
    }
  }
}
