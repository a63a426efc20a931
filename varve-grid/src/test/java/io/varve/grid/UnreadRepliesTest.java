package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.varve.grid.node.Node;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// REPLY-1 to REPLY-7 and ANSWER-1: what a node keeps for a client that sends commands and takes no
/// replies.
@Tag("slow")
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

  /// The largest requests are a few KiB, and their replies would be some GiB.
  @Test
  void repliesAreNotVeryMuchLongerThanTheirRequests() throws Exception {
    int times = 3_000; // of 1 MiB, more than this process takes for buffers
    try (Node node = Serving.node(data);
        RawResp redis = new RawResp(node.port())) {
      redis.call("SET", "k", "x".repeat(1 << 20));
      redis.call("SADD", "s", "x".repeat(1 << 20));
      redis.call("HSET", "h", "f", "x".repeat(1 << 20));
      assertThat(redis.call(repeated("MGET", "k", times))).isEqualTo("-ERR ");
      assertThat(redis.call(repeated("MGET", "k", 20))).startsWith("*20 $1048576 x");
      assertThat(redis.call("SRANDMEMBER", "s", "-2000000000")).isEqualTo("-ERR ");
      assertThat(redis.call("HRANDFIELD", "h", "-2000000000")).isEqualTo("-ERR ");
      redis.call("SET", "one", "x".repeat(100_000));
      assertThat(redis.call("LCS", "one", "one", "LEN")).isEqualTo("-ERR ");
      redis.call(repeated("RPUSH", "1", 10_000));
      for (String sort : List.of("SORT 1", "SORT_RO 1", "SORT 1 LIMIT 0 -1")) {
        assertThat(redis.call((sort + " GET #".repeat(110)).split(" "))).isEqualTo("-ERR ");
      }
      assertThat(redis.call(("SORT 1 LIMIT 0 5" + " GET #".repeat(110)).split(" ")))
          .startsWith("*550 $1 1 ");
      assertEnds(node, "SRANDMEMBER s -" + times + "\r\n");
      assertEnds(node, "HRANDFIELD h -" + times + " WITHVALUES\r\n");
      assertEnds(node, "HMGET h " + "f ".repeat(times) + "\r\n");
      assertEnds(node, "MULTI\r\nINCR n\r\n" + "GET k\r\n".repeat(times) + "INCR n\r\nEXEC\r\n");
      // The connection ends before the transaction does, which is carried out.
      await().until(() -> redis.call("GET", "n").equals("$1 2 "));
      assertThat(redis.call("GET", "k")).startsWith("$1048576 x");
      memcached(node, times);
    }
  }

  private static String[] repeated(String command, String key, int times) {
    String[] words = new String[times + 1];
    Arrays.fill(words, key);
    words[0] = command;
    return words;
  }

  /// Sends commands whose last reply is longer than any may be, so that the connection ends.
  private static void assertEnds(Node node, String commands) throws Exception {
    try (RawResp greedy = new RawResp(node.port())) {
      greedy.send("PING\r\n" + commands);
      String reply = greedy.reply();
      while (reply.startsWith("+")) { // of PING, MULTI, and what that collects
        reply = greedy.reply();
      }
      assertThat(reply).as(commands.substring(0, 5)).isEmpty();
    } catch (SocketException e) {
      // The node has closed the connection.
    }
    ByteBufAllocatorMetric metric = PooledByteBufAllocator.DEFAULT.metric();
    long limit = Runtime.getRuntime().maxMemory();
    assertThat(metric.usedDirectMemory() + metric.usedHeapMemory()).isLessThan(limit / 2);
  }

  /// ANSWER-1
  private static void memcached(Node node, int times) throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      OutputStream out = socket.getOutputStream();
      String value = "x".repeat(1 << 20);
      out.write(("set k 0 0 1048576\r\n" + value + "\r\n").getBytes(US_ASCII));
      assertThat(line(in)).isEqualTo("STORED");
      out.write(("get" + " k".repeat(times) + "\r\n").getBytes(US_ASCII));
      assertThat(line(in)).contains("SERVER_ERROR", "the answer would be longer than");
      for (int run = 0; run < 2; run++) {
        out.write(("get" + " k".repeat(200) + "\r\n").getBytes(US_ASCII));
        for (int key = 0; key < 200; key++) {
          assertThat(line(in)).isEqualTo("VALUE k 0 1048576");
          assertThat(line(in)).hasSize(1 << 20);
        }
        assertThat(line(in)).isEqualTo("END");
      }
    }
  }

  @SuppressWarnings("deprecation") // The lines are of ASCII.
  private static String line(DataInputStream in) throws Exception {
    return String.valueOf(in.readLine());
  }
}
