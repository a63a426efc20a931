package io.varve.internal.file;

import io.varve.CorruptStoreException;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.page.LargeReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Which large values came into the trees and went out of them, until the accounts of extents are
/// brought up to date: that may read the values' indexes, which a commit must not wait for.
///
/// Safe for threads.
public final class LargeAccounts {
  /// More changes than are to wait: each takes about a hundred bytes.
  private static final int MANY = 1 << 14;

  /// @param retiredBytes of the value that went, or 0
  private record Change(Runnable entry, long retiredBytes) {}

  private final PageFile file;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final AtomicLong retiredBytes = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();

  public LargeAccounts(PageFile file) {
    this.file = file;
  }

  public void born(byte[] reference, long epoch) {
    defer(() ->
        LargeValues.forEachExtent(file, reference, extent -> file.extents().born(extent, epoch)));
  }

  public void retired(byte[] reference, long epoch) {
    long bytes = LargeReference.length(reference, 0);
    retiredBytes.addAndGet(bytes);
    Runnable entry =
        () ->
            LargeValues.forEachExtent(
                file, reference, extent -> file.extents().retire(extent, epoch));
    add(new Change(entry, bytes));
  }

  /// Enters a change when the accounts are settled next.
  ///
  /// @param entry reads a page first, and changes nothing if it cannot
  public void defer(Runnable entry) {
    add(new Change(entry, 0));
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

  /// Enters all changes so far, among them those of every epoch that is closed. If one cannot be
  /// read now, it and those after it stay for the next time: a value that the accounts lack would
  /// be overwritten.
  ///
  /// @throws io.varve.StoreIoException if the index of a value cannot be read
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
    } finally {
      assert file.locks().exit(LockOrder.LARGE_VALUES);
    }
  }

  private static void settle(Change change) {
    try {
      change.entry.run();
    } catch (CorruptStoreException e) {
      // Whoever reads the value learns of the damage; its space stays taken.
      System.getLogger(LargeAccounts.class.getName())
          .log(System.Logger.Level.WARNING, "the index of a large value is damaged", e);
    }
  }
}
