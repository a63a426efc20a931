package io.varve.grid;

import static io.varve.grid.BinaryMemcached.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.BinaryMemcached.Answer;
import io.varve.grid.node.Node;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// MEMCACHED-1: what a client of memcached's binary protocol is answered if its request fails.
@Timeout(120)
class MemcachedFailuresTest {
  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--memcached-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private interface Check {
    void of(BinaryMemcached memcached) throws IOException;
  }

  /// At the port of all protocols, and that of memcached.
  private static void atBothPorts(Check check) throws IOException {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (var memcached = new BinaryMemcached(port)) {
        check.of(memcached);
      }
    }
  }

  /// As memcached answers it. The client waited for good.
  @Test
  void whatIsNoNumberIsNotIncremented() throws Exception {
    atBothPorts(memcached -> {
      byte[] flags = BinaryMemcached.NO_FLAGS;
      assertThat(memcached.call(BinaryMemcached.SET, flags, "word", "x").status()).isZero();
      Answer refused = memcached.call(BinaryMemcached.INCREMENT, new byte[20], "word", "");
      assertThat(refused.status()).as("not numeric").isEqualTo(6);
      assertThat(refused.operation()).isEqualTo(BinaryMemcached.INCREMENT);
      assertThat(refused.opaque()).isEqualTo(7);
    });
  }

  @Test
  void whatFollowsAFailureIsAnswered() throws Exception {
    atBothPorts(memcached -> {
      byte[] flags = BinaryMemcached.NO_FLAGS;
      byte[] nothing = BinaryMemcached.NOTHING;
      memcached.send(
          request(BinaryMemcached.SET, 1, flags, "word", "x"),
          request(BinaryMemcached.INCREMENT, 2, new byte[20], "word", ""),
          request(BinaryMemcached.SET_QUIETLY, 3, flags, "word", "y"),
          request(BinaryMemcached.NOOP, 4, nothing, "", ""));
      assertThat(memcached.answer().opaque()).isEqualTo(1);
      assertThat(memcached.answer().opaque()).isEqualTo(2);
      assertThat(memcached.answer().opaque()).as("a quiet success is not").isEqualTo(4);
    });
  }

  /// Where the next request begins is not known.
  @Test
  void aRequestThatIsNoneEndsItsConnection() throws Exception {
    atBothPorts(memcached -> {
      memcached.send(request(0x77, 1, BinaryMemcached.NOTHING, "k", "v"));
      assertThatThrownBy(memcached::answer).isInstanceOf(EOFException.class);
    });
  }
}
