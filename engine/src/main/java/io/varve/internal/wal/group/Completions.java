package io.varve.internal.wal.group;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Futures that are to be completed one after the other, by one thread, which runs what users hung
/// on them. Another thread may take those that are left, if one of them takes long.
///
/// - (COMPLETION-1) Each future is completed by one thread: the thread that takes a node moves the
///   list on first.
/// - (COMPLETION-2) Whatever one completion throws, those after it are completed.
final class Completions implements Runnable {
  private final AtomicReference<@Nullable Waiter> left;
  private final Consumer<Waiter> completing;
  private volatile @Nullable Thread runner;

  /// What was left when [#countRound] looked last. For the thread that watches.
  private @Nullable Waiter leftBefore;

  private boolean seen;

  /// How often [#countRound] saw no move, in a row. For the thread that watches.
  private int rounds;

  Completions(@Nullable Waiter futures, Consumer<Waiter> completing) {
    this.left = new AtomicReference<>(futures);
    this.completing = completing;
  }

  @Override
  public void run() {
    runner = Thread.currentThread();
    Waiter next = left.get();
    while (next != null) {
      if (left.compareAndSet(next, next.next)) {
        completeOne(next);
      }
      next = left.get();
    }
  }

  private void completeOne(Waiter taken) {
    try {
      completing.accept(taken);
    } catch (Throwable _) {
      // Futures keep what users' code throws, so this is a lack of memory or stack (COMPLETION-2).
    }
  }

  /// Takes what nobody has begun to complete, each for itself. Completes here what `others`
  /// refuses. For one thread at a time.
  void splitRest(Consumer<Completions> others) {
    Waiter next = left.getAndSet(null);
    while (next != null) {
      Waiter after = next.next;
      next.next = null;
      try {
        others.accept(new Completions(next, completing));
      } catch (RuntimeException | Error _) {
        completeOne(next); // no thread could be made
      }
      next = after;
    }
  }

  /// Counts a round in which the same future is being completed as in the one before.
  ///
  /// @return the number of such rounds in a row
  @SuppressWarnings("ReferenceEquality") // nodes
  int countRound() {
    Waiter now = left.get();
    boolean moved = !seen || now != leftBefore;
    seen = true;
    leftBefore = now;
    rounds = moved ? 0 : rounds + 1;
    return rounds;
  }

  /// Whether [#countRound] saw no move the last time. For the thread that watches.
  boolean isHeld() {
    return rounds > 0;
  }

  /// The name of the thread that runs this.
  String where() {
    Thread thread = runner;
    return thread == null ? "none" : thread.getName() + "#" + thread.threadId();
  }
}
