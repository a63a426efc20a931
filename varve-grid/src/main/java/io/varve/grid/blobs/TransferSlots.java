package io.varve.grid.blobs;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// How many requests for blobs are carried out at a time. Those that find no slot wait for one, in
/// the order in which they came.
///
/// - SLOTS-1 What all of them hold is an eighth of the heap at most, or [#SLOTS_MIN] times
///   [#SLOT_BYTES].
/// - SLOTS-2 One address has at most three quarters of the slots. So clients of others are carried
///   out, however slow those of one address are. What waits for a slot of its own address keeps
///   nobody from another one.
///
/// **Threads:** any. Waits without a lock.
final class TransferSlots {
  /// The part of a request, its image in the engine, and what was not sent; each of about 1 MiB,
  /// which the collector may keep in two regions of that size.
  private static final long SLOT_BYTES = 4 << 20;

  private static final int SLOTS_MIN = 4;
  private static final int SLOTS_MAX = 1_000;
  private static final int HEAP_PARTS = 8;
  private static final int PARTS_OF_OTHERS = 4; // one of which no address has alone
  private static final long WAIT_SECONDS_MAX = 30;

  private final int ofAddressMax;
  private final long waitMillisMax;

  // All that follow are guarded by this.
  private final Map<String, Integer> held = new HashMap<>(); // by address
  private final Queue<Waiting> waiting = new ArrayDeque<>(); // as many as connections
  private int free;

  /// A request without a slot.
  ///
  /// @param slot released when it has one
  private record Waiting(String address, Semaphore slot) {}

  TransferSlots(long heapBytes) {
    this(count(heapBytes), TimeUnit.SECONDS.toMillis(WAIT_SECONDS_MAX));
  }

  TransferSlots(int count, long waitMillisMax) {
    this.free = count;
    this.ofAddressMax = count - Math.max(1, count / PARTS_OF_OTHERS);
    this.waitMillisMax = waitMillisMax;
  }

  static int count(long heapBytes) {
    return Math.clamp(heapBytes / HEAP_PARTS / SLOT_BYTES, SLOTS_MIN, SLOTS_MAX);
  }

  /// Waits for a slot.
  ///
  /// @param address of the client
  /// @throws NoneException if there was none for so long
  void take(String address) {
    var own = new Waiting(address, new Semaphore(0));
    synchronized (this) {
      waiting.add(own);
      grant();
    }
    boolean granted = false;
    try {
      granted = own.slot().tryAcquire(waitMillisMax, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (!granted && leaves(own)) {
      throw new NoneException();
    }
  }

  /// Waits no more.
  ///
  /// @return false if a slot was granted before
  private synchronized boolean leaves(Waiting own) {
    return waiting.remove(own);
  }

  synchronized void free(String address) {
    free++;
    held.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    grant();
  }

  /// Gives the slots that are free to the first that may have one.
  private void grant() {
    Iterator<Waiting> each = waiting.iterator();
    while (free > 0 && each.hasNext()) {
      Waiting next = each.next();
      if (held.getOrDefault(next.address(), 0) < ofAddressMax) { // SLOTS-2
        each.remove();
        free--;
        held.merge(next.address(), 1, Integer::sum);
        next.slot().release();
      }
    }
  }

  /// Others have all slots.
  static final class NoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoneException() {
      super(
          "there are as many requests for blobs as the heap allows, or one address may have; try"
              + " again, or give more (-Xmx)");
    }
  }
}
