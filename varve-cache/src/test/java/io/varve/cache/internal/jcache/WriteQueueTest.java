package io.varve.cache.internal.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.WriteBehind;
import io.varve.cache.internal.jcache.WriteQueue.Waiting;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A call that was let in before a close of the cache returns as any other does. What it added was
/// never written where no store keeps it, and no warning came (WQ-4).
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteQueueTest {
  private final WriteQueue<String> queue = new WriteQueue<>(WriteBehind.defaults());

  private static Waiting<String> change(String key, long number) {
    return new Waiting<>(key, "value", number, 0, System.nanoTime());
  }

  /// Has a thread take what there is, and returns when it waits or has taken.
  private FutureTask<List<Waiting<String>>> take() {
    var taken = new FutureTask<>(() -> queue.take(10));
    Thread thread = Thread.ofPlatform().start(taken);
    while (thread.getState() != Thread.State.WAITING && !taken.isDone()) {
      Thread.onSpinWait();
    }
    return taken;
  }

  @Test
  void whatWasLetInBeforeTheCloseIsTaken() throws Exception {
    queue.admit("a", true);
    queue.close();
    var taken = take();
    Waiting<String> change = change("a", 1);
    queue.add(change);
    assertThat(taken.get()).containsExactly(change);
    queue.finish(List.of());
    assertThat(queue.take(10)).isEmpty();
  }

  @Test
  void whatWasLetInBeforeTheCloseAndDismissedIsNotWaitedFor() throws Exception {
    queue.admit("a", true);
    queue.admit("b", true);
    queue.close();
    var taken = take();
    queue.dismiss();
    queue.dismiss();
    assertThat(taken.get()).isEmpty();
  }

  @Test
  void aStopEndsTheWaitForWhatWasLetIn() throws Exception {
    queue.admit("a", true);
    queue.close();
    var taken = take();
    queue.stop();
    assertThat(taken.get()).isEmpty();
  }
}
