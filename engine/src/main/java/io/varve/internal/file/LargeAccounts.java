package io.varve.internal.file;

import io.varve.CorruptStoreException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.page.LargeReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Which large values came into the trees and went out of them, until the accounts of extents are
/// brought up to date: that may read the values' indexes, which a commit must not wait for.
///
/// (ACCOUNTS-1) Each extent of a change is entered once, also if the change breaks off and is
/// entered again. To enter one twice would free it twice, or count it as written over a live one.
///
/// Safe for threads.
public final class LargeAccounts {
  /// More changes than are to wait where no page becomes dirty with them.
  private static final int MANY = 1 << 14;

  /// The memory that a change takes until it is entered, about.
  private static final long CHANGE_BYTES = 128;

  /// How often the index of a value that went is tried that cannot be read, before the extents of
  /// the value stay taken. Every checkpoint tries it once, and none is written until then.
  private static final int TRIES = 5;

  /// Names the extents of a value. It may read a page, and names none if it cannot.
  @FunctionalInterface
  interface Naming {
    void forEach(LongConsumer extent);
  }

  /// What came or went, and how much of it is entered (ACCOUNTS-1).
  static final class Change {
    private final Naming extents;
    private final LongConsumer entry;

    /// Of the value that went, or 0.
    final long retiredBytes;

    /// The extents that were entered before this broke off.
    private int entered;

    private int failures;

    Change(Naming extents, LongConsumer entry, long retiredBytes) {
      this.extents = extents;
      this.entry = entry;
      this.retiredBytes = retiredBytes;
    }

    void enter() {
      int[] number = new int[1];
      extents.forEach(extent -> {
        if (number[0]++ == entered) {
          entry.accept(extent);
          entered++;
        }
      });
    }

    /// Whether it is left out after one more failure. The extents of a value that came are not: one
    /// that the accounts lack would be overwritten.
    boolean isLeftOut() {
      return ++failures >= TRIES && retiredBytes > 0;
    }
  }

  private final PageFile file;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final AtomicLong retiredBytes = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();

  /// Whether a change could not be read, and nothing was settled after that.
  private volatile boolean isUnreadable;

  public LargeAccounts(PageFile file) {
    this.file = file;
  }

  public void born(byte[] reference, long epoch) {
    add(change(reference, extent -> file.extents().born(extent, epoch), 0));
  }

  public void retired(byte[] reference, long epoch) {
    long bytes = LargeReference.length(reference, 0);
    Change change = change(reference, extent -> file.extents().retire(extent, epoch), bytes);
    retiredBytes.addAndGet(bytes);
    add(change);
  }

  private Change change(byte[] reference, LongConsumer entry, long retiredBytes) {
    return new Change(
        extents -> LargeValues.forEachExtent(file, reference, extents), entry, retiredBytes);
  }

  private void add(Change change) {
    waiting.incrementAndGet();
    changes.add(change);
  }

  /// The bytes of values retired since the accounts were settled.
  public long retiredBytes() {
    return retiredBytes.get();
  }

  /// Whether so many changes wait that the memory they take counts.
  public boolean areMany() {
    return waiting.get() >= MANY;
  }

  /// The memory that [#trySettle] would free, about.
  public long waitingBytes() {
    return isUnreadable ? 0 : waiting.get() * CHANGE_BYTES;
  }

  /// Enters all changes so far, as [#settle] does. One that cannot be read is left to the next call
  /// of that, which counts the tries.
  public void trySettle() {
    if (isUnreadable) {
      return;
    }
    try {
      settle();
    } catch (StoreIoException e) {
      isUnreadable = true;
    }
  }

  /// Enters all changes so far, among them those of every epoch that is closed. If one cannot be
  /// read now, it and those after it stay for the next time: a value that the accounts lack would
  /// be overwritten. A value that went, whose index can never be read, is left out in the end. If
  /// memory is lacking, it continues the next time with the extent that it broke off at.
  ///
  /// @throws StoreIoException if the index of a value cannot be read; try again
  public synchronized void settle() {
    assert file.locks().enter(LockOrder.LARGE_VALUES);
    try {
      Change change;
      while ((change = changes.peek()) != null) {
        settle(change);
        changes.remove();
        waiting.decrementAndGet();
        retiredBytes.addAndGet(-change.retiredBytes);
      }
      isUnreadable = false;
    } finally {
      assert file.locks().exit(LockOrder.LARGE_VALUES);
    }
  }

  private static void settle(Change change) {
    try {
      change.enter();
    } catch (CorruptStoreException e) {
      warn(e); // a reader of the value finds the damage
    } catch (StoreIoException e) {
      if (!change.isLeftOut()) {
        throw e;
      }
      warn(e);
    }
  }

  private static void warn(VarveException e) {
    System.getLogger(LargeAccounts.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "the index of a large value cannot be read; the extents of the value stay taken",
            e);
  }
}
