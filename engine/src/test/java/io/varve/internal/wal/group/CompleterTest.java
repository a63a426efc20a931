package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In which thread futures are completed.
@Timeout(60)
class CompleterTest {
  /// Completes a future through a completer.
  ///
  /// @return the thread that did
  private static Thread completing(@Nullable Executor users) {
    var done = new CompletableFuture<Thread>();
    var completer = new Completer(StoreThreads.PLATFORM, Clock.SYSTEM, users);
    Waiter future = Waiter.ofFuture(new CompletableFuture<>(), 0);
    completer.execute(new Completions(future, _ -> done.complete(Thread.currentThread())));
    Thread thread = done.join();
    completer.close();
    return thread;
  }

  @Test
  void theStoreHasAThreadForFutures() {
    Thread thread = completing(null);
    assertThat(thread).isNotSameAs(Thread.currentThread());
    assertThat(thread.getName()).isEqualTo("varve-completer");
  }

  @Test
  void theExecutorOfUsersCompletes() throws Exception {
    var made = new CompletableFuture<Thread>();
    Executor users = task -> made.complete(Thread.ofPlatform().start(task));
    assertThat(completing(users)).isSameAs(made.get());
  }

  /// An executor that runs a task in the thread that gives it must not run users' code there.
  @Test
  void anExecutorThatRunsTasksImmediatelyCompletesInAThreadOfItsOwn() {
    Thread thread = completing(Runnable::run);
    assertThat(thread).isNotSameAs(Thread.currentThread());
    assertThat(thread.getName()).isEqualTo("varve-completion");
  }

  @Test
  void anExecutorThatTakesNothingIsReplaced() {
    Thread thread =
        completing(_ -> {
          throw new RejectedExecutionException("for this test");
        });
    assertThat(thread.getName()).isEqualTo("varve-completer");
  }

  /// A task that was taken before the executor threw is not run twice.
  @Test
  void anExecutorThatRunsTasksAndThrowsCompletesOnce() {
    Thread thread =
        completing(task -> {
          task.run();
          throw new RejectedExecutionException("for this test");
        });
    assertThat(thread.getName()).isEqualTo("varve-completion");
  }
}
