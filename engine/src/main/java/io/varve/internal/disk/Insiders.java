package io.varve.internal.disk;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The threads that are inside a stretch of code whose end others wait for. A waiter can find one
/// that was lost in it.
///
/// A thread is *lost* if it entered, and can never leave: it has ended, or it runs or waits outside
/// of the store. A thread that is merely slow is not lost, however long it takes.
///
/// - (INSIDE-1) A thread that is found lost is lost. Its entry is written by that thread alone, and
///   is looked at again after the thread: a later stay has another number.
/// - (INSIDE-2) A lost thread may be missed: two threads may share a slot, and the later replaces
///   the earlier. So entering and leaving cost one store each, without any fence.
///
/// The JVM option `MaxJavaStackTraceDepth` must leave the topmost frames of a waiting thread, which
/// its default of 1,024 does.
///
/// Extended by tests, in which a thread finds no memory.
public class Insiders {
  /// A power of two. More than most programs have threads: two that take turns in one slot make an
  /// entry in each turn. With 256 slots, commits of 1,000 threads took an eighth more CPU time.
  private static final int SLOTS = 2048;

  /// The part of a class name that all code between entering and leaving shares.
  private static final String INSIDE =
      Insiders.class
          .getPackageName()
          .substring(0, Insiders.class.getPackageName().lastIndexOf('.') + 1);

  private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(SLOTS);

  /// A thread that came again without having left.
  private volatile @Nullable Thread returned;

  /// The stays of one thread, which it does not keep from being collected.
  private static final class Entry extends WeakReference<Thread> {
    private static final VarHandle STAY =
        ConstantBootstraps.fieldVarHandle(
            lookup(), "stay", VarHandle.class, Entry.class, long.class);

    /// Odd while the thread is inside. Written by the thread, with release; read by any.
    private long stay;

    Entry(Thread thread) {
      super(thread);
    }

    boolean isOfCaller() {
      return refersTo(Thread.currentThread());
    }

    long stay() {
      return (long) STAY.getAcquire(this);
    }

    boolean isInside() {
      return (stay & 1) != 0;
    }

    void changeSide() {
      STAY.setRelease(this, stay + 1);
    }
  }

  /// Makes an empty set.
  public Insiders() {}

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (SLOTS - 1);
  }

  /// Notes that the calling thread is inside. It may make an object, so this comes before what
  /// others wait for the end of: a thread that finds no memory must leave nothing that nobody ends.
  ///
  /// @throws OutOfMemoryError if there is no memory; nothing is noted then
  public void enter() {
    int slot = slot();
    Entry entry = entries.getOpaque(slot);
    if (entry == null || !entry.isOfCaller()) {
      entry = new Entry(Thread.currentThread());
      entries.setRelease(slot, entry);
    }
    if (entry.isInside()) {
      returned = Thread.currentThread();
    } else {
      entry.changeSide();
    }
  }

  /// Finds the calling thread lost if it is inside. For threads that wait for others to leave: they
  /// run code of the store, and would be taken for slow.
  public final void expectOutside() {
    Entry entry = entries.getOpaque(slot());
    if (entry != null && entry.isOfCaller() && entry.isInside()) {
      returned = Thread.currentThread();
    }
  }

  /// Notes that the calling thread is outside again.
  public final void leave() {
    Entry entry = entries.getOpaque(slot());
    if (entry != null && entry.isOfCaller() && entry.isInside()) {
      entry.changeSide();
    }
  }

  /// Describes a thread that is lost inside; null if none is found. Takes the stacks of those
  /// inside.
  @SuppressWarnings("ReferenceEquality") // another entry is of another thread (INSIDE-1)
  public final @Nullable String findLost() {
    Thread back = returned;
    if (back != null) {
      return back.toString();
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      Entry entry = entries.get(slot);
      long stay = entry == null ? 0 : entry.stay();
      if ((stay & 1) != 0) {
        Thread thread = entry.get();
        if (isOutside(thread) && entries.get(slot) == entry && entry.stay() == stay) {
          return String.valueOf(thread);
        }
      }
    }
    return null;
  }

  /// Whether a thread runs no code of the store. One that was collected has ended. The calling one
  /// waits for others to leave, so it is outside.
  private static boolean isOutside(@Nullable Thread thread) {
    if (thread == null || !thread.isAlive() || thread.equals(Thread.currentThread())) {
      return true;
    }
    StackTraceElement[] stack = thread.getStackTrace();
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().startsWith(INSIDE)) {
        return false;
      }
    }
    return stack.length > 0; // none is given if the thread cannot be looked at now
  }
}
