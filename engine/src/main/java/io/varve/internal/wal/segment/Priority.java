package io.varve.internal.wal.segment;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The priority of one commit that others beat again and again to what it needs.
///
/// - (PRIORITY-1) While a commit has priority, no other is reserved, except those of the store
///   itself: definitions, notes and moves. So what the log releases adds up until it is enough for
///   a large commit, and its pages stay as they were loaded. Others would take the log part by
///   part, and the large commit might never end (D5).
/// - (PRIORITY-2) A commit with priority waits for the log, the throttle and pages, and so for
///   checkpoints. It waits for no commit of a program that is not reserved. So each priority ends.
///
/// Thread-safe. Priority is that of the thread that took it.
public final class Priority {
  private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

  /// Whether another thread has it. One volatile read if nobody has.
  public boolean isOfAnother() {
    Thread thread = owner.get();
    return thread != null && !thread.equals(Thread.currentThread());
  }

  /// Takes it, if no other thread has it.
  ///
  /// @return whether the calling thread has it now
  public boolean tryTake() {
    return owner.compareAndSet(null, Thread.currentThread()) || !isOfAnother();
  }

  /// Ends it, if it is that of the calling thread.
  ///
  /// @return whether it was; then the commits that wait for capacity are to look again
  public boolean end() {
    Thread thread = owner.get();
    return thread != null
        && thread.equals(Thread.currentThread())
        && owner.compareAndSet(thread, null);
  }
}
