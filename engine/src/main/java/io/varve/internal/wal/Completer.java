package io.varve.internal.wal;

import io.varve.internal.disk.StoreThreads;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Completes futures, and so runs what users hung on them, on a thread where that delays neither a
/// write of the log nor another thread's commit: the users' own, or one that starts with the first
/// use.
final class Completer {
  private final StoreThreads threads;
  private final @Nullable Executor users;

  /// What to run; empty ends the thread.
  private final LinkedBlockingQueue<Optional<Runnable>> tasks = new LinkedBlockingQueue<>();

  private @Nullable Thread thread; // guarded by this
  private boolean closed; // guarded by this

  Completer(StoreThreads threads, @Nullable Executor users) {
    this.threads = threads;
    this.users = users;
  }

  /// Completes futures soon.
  void execute(Runnable task) {
    if (!isTakenByUsers(task)) {
      executeWaiting(task);
    }
  }

  /// Completes futures from within what [#executeWaiting] runs. It is not to wait there for those
  /// behind it, which may wait for later commits.
  void executeAfterWaiting(Runnable task) {
    if (!isTakenByUsers(task)) {
      task.run();
    }
  }

  private boolean isTakenByUsers(Runnable task) {
    if (users == null) {
      return false;
    }
    try {
      users.execute(task);
      return true;
    } catch (RuntimeException | Error ignored) {
      // It was shut down before the store, or has no thread. No commit is to suffer from that.
      return false;
    }
  }

  /// Runs soon, in a thread of the log, what may wait for other commits; at once, in this thread,
  /// if the completer is closed.
  void executeWaiting(Runnable task) {
    synchronized (this) {
      if (!closed) {
        tasks.add(Optional.of(task));
        if (thread == null) {
          thread = threads.newThread("varve-completer", this::run);
          thread.start();
        }
        return;
      }
    }
    task.run();
  }

  private void run() {
    while (true) {
      try {
        Optional<Runnable> task = tasks.take();
        if (task.isEmpty()) {
          return;
        }
        task.get().run();
      } catch (InterruptedException ignored) {
        // Nobody has a reason to interrupt this thread.
      }
    }
  }

  /// Ends the thread after the tasks given so far. Does not wait for it: a task may be what calls.
  synchronized void close() {
    if (!closed) {
      closed = true;
      tasks.add(Optional.empty());
    }
  }
}
