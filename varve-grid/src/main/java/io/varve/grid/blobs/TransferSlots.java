package io.varve.grid.blobs;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// How many requests for blobs are carried out at a time. Those that find no slot wait for one, in
/// the order in which they came.
///
/// (SLOTS-1) What all of them hold is an eighth of the heap at most, or [#SLOTS_MIN] times
/// [#SLOT_BYTES].
final class TransferSlots {
  /// The part of a request, its image in the engine, and what was not sent; each of about 1 MiB,
  /// which the collector may keep in two regions of that size.
  private static final long SLOT_BYTES = 4 << 20;

  private static final int SLOTS_MIN = 4;
  private static final int SLOTS_MAX = 1_000;
  private static final int HEAP_PARTS = 8;
  private static final long WAIT_SECONDS_MAX = 30;

  private final Semaphore slots;

  TransferSlots(long heapBytes) {
    this.slots = new Semaphore(count(heapBytes), /* fair= */ true);
  }

  static int count(long heapBytes) {
    return Math.clamp(heapBytes / HEAP_PARTS / SLOT_BYTES, SLOTS_MIN, SLOTS_MAX);
  }

  /// Waits for a slot.
  ///
  /// @throws NoneException if there was none for so long
  void take() {
    try {
      if (slots.tryAcquire(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    throw new NoneException();
  }

  void free() {
    slots.release();
  }

  /// Others have all slots.
  static final class NoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoneException() {
      super(
          "there are as many requests for blobs as the heap allows; try again, or give more (-Xmx)");
    }
  }
}
