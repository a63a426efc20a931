package io.varve.internal.checkpoint;

import io.varve.internal.txn.Throttle;

/// Lets the commits of a durable store pass: if there is capacity for them, and not too fast.
public record CommitAdmission(
    DiskAdmission admission, CapacityReclaimer reclaimer, Backpressure backpressure)
    implements Throttle {
  @Override
  public long beforeCommit(long dirtyingBytes, long bodyBytes, boolean grows) {
    backpressure.beforeCommit();
    return reclaimer.admit(dirtyingBytes, bodyBytes, grows);
  }

  @Override
  public long tryBeforeCommit(long dirtyingBytes, boolean grows) {
    return backpressure.passesNow() ? admission.tryAdmit(dirtyingBytes, grows) : NOT_NOW;
  }

  @Override
  public void afterCommit(long admittedBytes) {
    admission.ended(admittedBytes);
  }

  @Override
  public long beforeImage(long bytes) {
    return reclaimer.admitImage(bytes);
  }

  @Override
  public boolean freeForImage(long bytes, int attempts) {
    return reclaimer.freeForImage(bytes, attempts);
  }

  @Override
  public boolean freeLogCapacity(boolean grows) {
    return reclaimer.freeLogCapacity(grows);
  }
}
