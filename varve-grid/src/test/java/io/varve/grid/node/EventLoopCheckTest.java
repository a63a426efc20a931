package io.varve.grid.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One thread that is blocked is seen among others that are not.
@Timeout(120)
class EventLoopCheckTest {
  @Test
  void aBlockedThreadIsSeen() throws Exception {
    var loops = new DefaultEventExecutorGroup(3);
    try {
      assertThat(EventLoopCheck.answer(loops, Duration.ofMinutes(1))).isTrue();
      var blocked = new CountDownLatch(1);
      loops
          .next()
          .submit(() -> {
            blocked.await();
            return true;
          });
      assertThat(EventLoopCheck.answer(loops, Duration.ofMillis(50))).isFalse();
      blocked.countDown();
      assertThat(EventLoopCheck.answer(loops, Duration.ofMinutes(1))).isTrue();
    } finally {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    assertThat(EventLoopCheck.answer(loops, Duration.ofMinutes(1))).isFalse();
  }
}
