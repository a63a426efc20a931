package io.varve.internal.index;

import io.varve.internal.disk.StackProbe;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Work of a build that runs on another core, while its thread does something else (BUILD-6). That
/// thread waits for the end in any case, also when neither of them gets memory or stack: or else
/// the work could continue while another thread builds the index (BUILD-3).
final class SecondThread<T> implements Runnable {
  private final Supplier<T> work;

  /// Null once the work has ended. For the thread that began it.
  private @Nullable Thread thread;

  // Read when the thread has ended.
  private @Nullable T result;
  private @Nullable Throwable failure;

  private SecondThread(Supplier<T> work) {
    this.work = work;
  }

  /// Begins some work.
  static <T> SecondThread<T> begin(StoreThreads threads, Supplier<T> work) {
    StackProbe.require(); // to wait for it
    SecondThread<T> second = new SecondThread<>(work);
    try {
      Thread thread = threads.newThread("varve-index", second);
      thread.start();
      second.thread = thread;
    } catch (OutOfMemoryError _) { // the system has no more threads for this process
      second.run();
    }
    return second;
  }

  @Override
  public void run() {
    try {
      result = work.get();
    } catch (Throwable e) { // thrown again by await
      failure = e;
    }
  }

  /// Waits for the result; what the work threw is thrown.
  @SuppressWarnings("NullAway") // a result that may be null is of such a type
  T await() {
    finish();
    if (failure instanceof RuntimeException cause) {
      throw cause;
    }
    if (failure != null) {
      throw (Error) failure;
    }
    return result;
  }

  /// Waits for the end, whether the work failed or not.
  void finish() {
    while (thread != null) {
      try {
        Threads.join(thread);
        thread = null;
      } catch (OutOfMemoryError _) { // to wait takes some
        Thread.onSpinWait();
      }
    }
  }
}
