package io.varve.internal.wal.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Hands futures whose wait is over to the [Completer].
///
/// - (HANDOVER-1) Each is completed, though memory or stack ran out by then: what cannot be
///   completed now is kept, and tried again. To keep it makes no object.
final class FutureHandover {
  /// After how long what is kept is tried again.
  static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Completer completer;
  private final Completion completion;
  private final Runnable askForRetry;

  /// Made before memory may be short (HANDOVER-1).
  private final Consumer<Waiter> completing = this::completeOne;

  /// A stack of futures.
  private final AtomicReference<@Nullable Waiter> kept = new AtomicReference<>();

  /// Completes a future, or has it wait again.
  @FunctionalInterface
  interface Completion {
    void complete(CompletableFuture<Void> future, long lsn);
  }

  /// @param askForRetry has [#tryAgain] called after [#RETRY_NANOS]; makes no object
  FutureHandover(Completer completer, Completion completion, Runnable askForRetry) {
    this.completer = completer;
    this.completion = completion;
    this.askForRetry = askForRetry;
  }

  /// Has the futures of a stack completed. Throws nothing.
  void complete(Waiter futures) {
    try {
      completer.execute(new Completions(futures, completing));
    } catch (RuntimeException | Error _) {
      keep(futures);
    }
  }

  private void completeOne(Waiter waiter) {
    CompletableFuture<Void> future = waiter.future;
    if (future == null) {
      return;
    }
    try {
      completion.complete(future, waiter.lsn);
    } catch (RuntimeException | Error e) {
      fail(waiter, future, e);
    }
  }

  /// Fails a future that nobody else has any more. That makes an object.
  private void fail(Waiter waiter, CompletableFuture<Void> future, Throwable cause) {
    try {
      future.completeExceptionally(cause);
    } catch (RuntimeException | Error _) {
      if (!future.isDone()) {
        waiter.next = null;
        keep(waiter);
      }
    }
  }

  private void keep(Waiter futures) {
    Waiter last = Waiter.last(futures);
    Waiter top;
    do {
      top = kept.get();
      last.next = top;
    } while (!kept.compareAndSet(top, futures));
    askForRetry.run();
  }

  /// Whether [#tryAgain] has work.
  boolean hasKept() {
    return kept.get() != null;
  }

  /// Has what is kept completed.
  void tryAgain() {
    Waiter futures = kept.getAndSet(null);
    if (futures != null) {
      complete(futures);
    }
  }

  /// Completes what is kept on the calling thread, since nobody will try again.
  void end() {
    Waiter next = kept.getAndSet(null);
    while (next != null) {
      Waiter after = next.next;
      completeOne(next);
      next = after;
    }
  }
}
