package io.varve.internal.wal.group;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Threads that wait for a condition which others make true: for capacity in the log.
///
/// (L1) A waiter pushes itself and then checks the condition; the thread that changes what the
/// condition depends on does so first and then calls [#wakeAll]. So no wake-up is lost.
public final class WaitList {
  private final AtomicReference<@Nullable Waiter> stack = new AtomicReference<>();

  /// Waits until the condition holds. An interrupt does not end the wait; its flag is set again.
  ///
  /// @param condition true, or throws to end the wait
  public void await(BooleanSupplier condition) {
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        var waiter = Waiter.ofThread();
        push(waiter);
        try {
          if (condition.getAsBoolean()) {
            wakeAll();
          }
        } catch (RuntimeException | Error e) {
          wakeAll();
          throw e;
        } finally {
          // Even a thread that need not wait any more leaves only woken: others may depend on this
          // node (T1).
          interrupted |= waiter.await(this);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void push(Waiter waiter) {
    Waiter top;
    do {
      top = stack.get();
      waiter.next = top;
    } while (!stack.compareAndSet(top, waiter));
  }

  /// Lets all waiters check again.
  public void wakeAll() {
    if (stack.get() != null) {
      Waiter.wakeAll(stack.getAndSet(null));
    }
  }
}
