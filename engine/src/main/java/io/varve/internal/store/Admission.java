package io.varve.internal.store;

import io.varve.internal.txn.Throttle;

/// Lets the commits of a durable store pass: if there is room for them, and not too fast.
record Admission(Room room, Backpressure backpressure) implements Throttle {
  @Override
  public void beforeCommit(long growthBytes) {
    room.admit(growthBytes);
    backpressure.beforeCommit();
  }

  @Override
  public boolean makeLogRoom() {
    return room.makeLogRoom();
  }
}
