package io.varve.internal.wal.group;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Completes futures, and so runs what users attached to them. It does so on a thread where that
/// delays neither a write of the log nor another thread's commit: the users' own, or one that
/// starts with the first use. What takes long there delays no other completion: see
/// [CompletionWatch].
public final class Completer {
  private final StoreThreads threads;
  private final @Nullable Executor users;
  private final CompletionWatch watch;

  /// What to run; empty ends the thread.
  private final LinkedBlockingQueue<Optional<Completions>> tasks = new LinkedBlockingQueue<>();

  /// Completes a future in a thread of its own. Made before memory may be short.
  private final Consumer<Completions> alone = this::startAlone;

  private @Nullable Thread thread; // guarded by this
  private volatile boolean closed; // written under the monitor of this

  public Completer(StoreThreads threads, Clock clock, @Nullable Executor users) {
    this.threads = threads;
    this.users = users;
    this.watch = new CompletionWatch(threads, clock, this::spread, this::handOn);
  }

  /// Completes futures soon, in order, unless one takes long. If that throws, for lack of memory or
  /// stack, none is completed or will be.
  void execute(Completions task) {
    if (isTakenByUsers(task)) {
      return;
    }
    if (watch.isStuck()) {
      task.splitRest(alone);
      return;
    }
    synchronized (this) {
      if (!closed && isStarted()) {
        tasks.add(Optional.of(task));
        return;
      }
    }
    if (closed) {
      task.run();
    } else {
      task.splitRest(alone);
    }
  }

  /// Starts the thread, unless it was. If the system has none to give, the next completion tries
  /// again: the log that calls is not to suffer from that.
  private boolean isStarted() {
    if (thread == null) {
      try {
        Thread made = threads.newThread("varve-completer", this::run);
        made.start();
        thread = made;
      } catch (OutOfMemoryError _) {
        return false;
      }
    }
    return true;
  }

  /// Runs what may wait for other commits, in a thread of its own.
  public void executeWaiting(Runnable task) {
    threads.newVirtualThread("varve-completion", task).start();
  }

  /// Completes futures from within what [#executeWaiting] runs.
  public void executeAfterWaiting(Runnable task) {
    if (!isTakenByUsers(task)) {
      task.run();
    }
  }

  private boolean isTakenByUsers(Completions task) {
    return users != null && isTakenByUsers((Runnable) () -> watch.run(task));
  }

  private boolean isTakenByUsers(Runnable task) {
    if (users == null) {
      return false;
    }
    Given given = null;
    try {
      given = new Given(task);
      users.execute(given);
      return true;
    } catch (RuntimeException | Error ignored) {
      // It was shut down before the store, or has no thread. No commit is to suffer from that.
      return given != null && given.isTaken;
    } finally {
      if (given != null) {
        given.giver = null;
      }
    }
  }

  /// A task for the users' executor. One that runs it in the thread that gives it (a pool that is
  /// full may) must not run users' code there: that thread writes the log, and may hold a lock of
  /// it.
  private final class Given implements Runnable {
    private final Runnable task;

    /// The thread that gives the task, while it does. Written by that thread alone; to all others,
    /// what they read is not themselves.
    private @Nullable Thread giver = Thread.currentThread();

    /// Whether the giving thread passed it on. For that thread alone.
    private boolean isTaken;

    Given(Runnable task) {
      this.task = task;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a thread is one object
    public void run() {
      if (giver == Thread.currentThread()) {
        threads.newVirtualThread("varve-completion", task).start();
        isTaken = true;
      } else {
        task.run();
      }
    }
  }

  private void run() {
    while (true) {
      try {
        Optional<Completions> task = tasks.take();
        if (task.isEmpty()) {
          return;
        }
        if (closed) {
          task.get().splitRest(alone); // The watch may have ended.
        } else {
          watch.runFirst(task.get());
        }
      } catch (InterruptedException | RuntimeException | Error ignored) {
        // Nobody has a reason to interrupt this thread, and a lack of memory passes. If it
        // ended, what is given to it would never be completed.
      }
    }
  }

  /// Completes elsewhere what waits for the thread, which is held up.
  private void spread() {
    Optional<Completions> task = tasks.poll();
    while (task != null && task.isPresent()) {
      task.get().splitRest(alone);
      task = tasks.poll();
    }
    if (task != null) {
      tasks.add(task); // the end, which nothing follows
    }
  }

  /// Completes elsewhere a future that waits for one before it.
  private void handOn(Completions single) {
    if (!isTakenByUsers(single)) {
      startAlone(single);
    }
  }

  private void startAlone(Completions single) {
    threads.newVirtualThread("varve-completion", () -> watch.run(single)).start();
  }

  /// Ends the thread after the tasks given so far. Does not wait for it: a task may be what calls,
  /// or may never end.
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      tasks.add(Optional.empty());
    }
    watch.close();
  }
}
