package io.varve.internal.checkpoint;

import io.varve.internal.txn.Throttle;

/// Lets the commits of a durable store pass: if there is capacity for them, and not too fast.
public final class CommitAdmission implements Throttle {
  private final DiskAdmission admission;
  private final CapacityReclaimer reclaimer;
  private final Backpressure backpressure;

  /// Makes what admits commits.
  public CommitAdmission(
      DiskAdmission admission, CapacityReclaimer reclaimer, Backpressure backpressure) {
    this.admission = admission;
    this.reclaimer = reclaimer;
    this.backpressure = backpressure;
  }

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
