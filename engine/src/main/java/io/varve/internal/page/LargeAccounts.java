package io.varve.internal.page;

import io.varve.CorruptStoreException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Which large values came into the trees and went out of them, until the accounts of extents are
/// brought up to date: that may read the values' indexes, which a commit must not wait for.
///
/// Safe for threads.
public final class LargeAccounts {
  private record Change(byte[] reference, long epoch, boolean isBirth) {}

  private final PageFile file;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final AtomicLong retiredBytes = new AtomicLong();

  LargeAccounts(PageFile file) {
    this.file = file;
  }

  void born(byte[] reference, long epoch) {
    changes.add(new Change(reference, epoch, true));
  }

  void retired(byte[] reference, long epoch) {
    retiredBytes.addAndGet(LargeValues.length(reference, 0));
    changes.add(new Change(reference, epoch, false));
  }

  /// The bytes of values retired since the accounts were settled.
  public long retiredBytes() {
    return retiredBytes.get();
  }

  /// Enters all changes so far, among them those of every epoch that is closed. If one cannot be
  /// read now, it and those behind it stay for the next time: a value that the accounts lack would
  /// be overwritten.
  ///
  /// @throws io.varve.StoreIoException if the index of a value cannot be read
  public synchronized void settle() {
    Change change;
    while ((change = changes.peek()) != null) {
      settle(change);
      changes.remove();
      if (!change.isBirth) {
        retiredBytes.addAndGet(-LargeValues.length(change.reference, 0));
      }
    }
  }

  private void settle(Change change) {
    Extents extents = file.extents();
    try {
      if (change.isBirth) {
        LargeValues.forEachExtent(
            file, change.reference, extent -> extents.born(extent, change.epoch));
      } else {
        LargeValues.forEachExtent(
            file, change.reference, extent -> extents.retire(extent, change.epoch));
      }
    } catch (CorruptStoreException e) {
      // Whoever reads the value learns of the damage; its space stays taken.
      System.getLogger(LargeAccounts.class.getName())
          .log(System.Logger.Level.WARNING, "the index of a large value is damaged", e);
    }
  }
}
