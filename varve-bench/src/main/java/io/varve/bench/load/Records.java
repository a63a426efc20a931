package io.varve.bench.load;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/// The records that a store should hold: which, and the newest version of each that was handed out
/// for writing. Grows at its end only. For many threads.
///
/// (R1) Records below [#present()] were all acknowledged by the store. (R2) A version found in the
/// store was handed out before, so it is at most the newest.
public final class Records {
  private static final int ABSENT = -1;

  private final KeyOrder order;
  private final int valueBytes;
  private final AtomicIntegerArray newestVersions;
  private final AtomicLong reserved;
  private final AtomicLong present;

  /// Makes the account of an empty store.
  ///
  /// @param capacity the most records there will be
  public Records(KeyOrder order, int valueBytes, int capacity) {
    this.order = order;
    this.valueBytes = valueBytes;
    newestVersions = new AtomicIntegerArray(capacity);
    for (int record = 0; record < capacity; record++) {
      newestVersions.setPlain(record, ABSENT);
    }
    reserved = new AtomicLong();
    present = new AtomicLong();
  }

  /// The length of every value.
  public int valueBytes() {
    return valueBytes;
  }

  /// The most records there can be.
  public int capacity() {
    return newestVersions.length();
  }

  /// How many records are present: all with a number below (R1).
  public long present() {
    return present.get();
  }

  /// Reserves the next record for an insert. Call [#inserted(long)] when the store has it.
  public long reserve() {
    long record = reserved.getAndIncrement();
    if (record >= newestVersions.length()) {
      throw new IllegalStateException(
          "more inserts than planned for: capacity=" + newestVersions.length());
    }
    return record;
  }

  /// Notes that the store has acknowledged the first version of `record`.
  public void inserted(long record) {
    newestVersions.set((int) record, 0);
    long next = present.get();
    while (next < newestVersions.length() && newestVersions.get((int) next) != ABSENT) {
      next = present.compareAndSet(next, next + 1) ? next + 1 : present.get();
    }
  }

  /// Notes that records 0 to `count` are present in their first version.
  public void loaded(int count) {
    for (int record = 0; record < count; record++) {
      newestVersions.setPlain(record, 0);
    }
    reserved.set(count);
    present.set(count);
  }

  /// Hands out the next version of `record`, for writing.
  public long nextVersion(long record) {
    return newestVersions.incrementAndGet((int) record);
  }

  /// Writes the key of `record` into `target`.
  public void key(long record, byte[] target) {
    order.key(record, target);
  }

  /// Checks a value that a store gave for `record` (R2).
  ///
  /// @return its version
  public long check(long record, byte[] value, int length) {
    if (length != valueBytes) {
      throw new WrongAnswerException("wrong length: record=" + record + ", length=" + length);
    }
    long version = Values.check(value, length, record);
    int newest = newestVersions.get((int) record);
    // A reader may see an insert that its writer has not yet noted; its version is the first.
    if (version < 0 || version > Math.max(0, newest)) {
      throw new WrongAnswerException(
          "wrong version: record=" + record + ", newest=" + newest + ", found=" + version);
    }
    return version;
  }

  /// Checks that a value is the newest version of `record`. No thread may be writing it.
  public void checkNewest(long record, byte[] value, int length) {
    long version = check(record, value, length);
    int newest = newestVersions.get((int) record);
    if (version != newest) {
      throw new WrongAnswerException(
          "old version: record=" + record + ", newest=" + newest + ", found=" + version);
    }
  }

  /// Checks an entry that a store gave in a scan.
  ///
  /// @return its record
  public long checkEntry(byte[] key, byte[] value, int length) {
    long record = order.record(key);
    if (record < 0 || record >= reserved.get()) {
      throw new WrongAnswerException("a key that was never written: record=" + record);
    }
    check(record, value, length);
    return record;
  }
}
