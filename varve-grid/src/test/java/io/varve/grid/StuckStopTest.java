package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import io.varve.grid.node.StopBound;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.infinispan.factories.GlobalComponentRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A node of which a thread is stuck: its end reports that, within a bound, and keeps its
/// directory.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class StuckStopTest {
  @TempDir Path data;

  @Test
  void aStopThatIsStuckHasABound() throws Exception {
    Node node = Serving.node(data);
    var released = new CountDownLatch(1);
    try (Socket connection = new Socket(Clients.HOST, node.port())) {
      connection.getOutputStream().write("*1\r\n$4\r\nPING\r\n".getBytes());
      assertThat(connection.getInputStream().read()).isEqualTo('+');
      EventLoopGroup loops =
          AsItself.call(
              () -> GlobalComponentRegistry.of(node.caches()).getComponent(EventLoopGroup.class));
      for (EventExecutor loop : loops) {
        loop.submit(() -> {
          released.await();
          return true;
        });
      }
      assertThatThrownBy(() -> node.closeWithin(Duration.ofMillis(200)))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("does not stop");
      assertThat(node.isStopped()).isFalse();
      // Whatever has asked it to stop, a process waits for that once.
      var ended = new AtomicBoolean();
      StopBound.await(node::awaitStop, Duration.ofMillis(200), () -> ended.set(true));
      assertThat(ended).isTrue();
      assertThatThrownBy(() -> Serving.node(data)).isInstanceOf(NodeException.class);
    } finally {
      released.countDown();
    }
    node.close();
    assertThat(node.isStopped()).isTrue();
    StopBound.await(node::awaitStop, Duration.ofMinutes(1), Assertions::fail);
  }
}
