package io.varve.grid.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.varve.grid.guard.connection.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.infinispan.server.core.transport.NonRecursiveEventLoopGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// LOOPS-2, CONTINUE-1: what a thread of a node waits for is never in line after it.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class EventLoopsTest {
  private final Door door =
      new Door(
          new Limits(
              Set.of(), 1, 1, 1, 0, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO));
  private final EventLoops loops =
      new EventLoops(new NonRecursiveEventLoopGroup(new NioEventLoopGroup(2)), door);

  @AfterEach
  void stop() {
    loops.stop();
  }

  /// The end of a write to a store is given to all loops, by a thread that is none of them.
  @Test
  void aCacheContinuesWhileEachLoopWaitsForIt() {
    var written = new CompletableFuture<Void>();
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    for (EventExecutor loop : loops) {
      waits.add(CompletableFuture.runAsync(written::join, loop));
    }
    loops.execute(() -> written.complete(null));
    waits.forEach(CompletableFuture::join);
  }

  /// As where a command continues with one that waits.
  @Test
  void aCacheContinuesWhileManyTasksWaitForIt() {
    var written = new CompletableFuture<Void>();
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    for (int at = 0; at < 100; at++) {
      waits.add(CompletableFuture.runAsync(written::join, loops));
    }
    loops.execute(() -> written.complete(null));
    waits.forEach(CompletableFuture::join);
  }

  @Test
  void aTaskHasItsResult() throws Exception {
    assertThat(loops.submit(() -> 42).get()).isEqualTo(42);
    assertThat(loops.submit(() -> {}, 43).get()).isEqualTo(43);
    assertThat(
            loops
                .submit(() -> {
                  throw new IllegalStateException("expected");
                })
                .await()
                .cause())
        .hasMessage("expected");
  }
}
