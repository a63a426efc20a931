package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.varve.grid.node.Node;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// REPLY-1: what a node keeps for a client that sends commands and takes no replies.
@Timeout(300)
class UnreadRepliesTest {
  private static final int CALLS = 4_000;
  private static final String LARGE = "x".repeat(50_000);

  /// The buffers of connections, and what the node has in memory before.
  private static final long KEPT_BYTES_MAX = 64 << 20;

  @TempDir static Path data;

  /// Replies of a scan come from another thread. The node continues when the client does.
  @Test
  void repliesThatAreNotTakenStopTheirConnection() throws Exception {
    try (Node node = Serving.node(data);
        RawResp redis = new RawResp(node.port());
        RawResp silent = new RawResp(node.port())) {
      redis.call("HSET", "large", "f", LARGE);
      silent.send("HSCAN large 0 COUNT 10\r\n".repeat(CALLS));
      long before = -1;
      long kept = 0;
      while (kept > before && kept < KEPT_BYTES_MAX) {
        before = kept;
        TimeUnit.SECONDS.sleep(2); // What has stopped does not continue in this time.
        ByteBufAllocatorMetric metric = PooledByteBufAllocator.DEFAULT.metric();
        kept = metric.usedDirectMemory() + metric.usedHeapMemory();
      }
      assertThat(kept).isLessThan(KEPT_BYTES_MAX);
      for (int call = 1; call <= CALLS; call++) {
        assertThat(silent.reply()).startsWith("*2 $1 0 *2 $1 f $50000 x");
      }
    }
  }
}
