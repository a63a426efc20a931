package io.varve.internal.txn;

import io.varve.internal.disk.Clock;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// What the transactions of a store may need of the heap: one account for all of them, so that none
/// fills the heap, alone or with others.
///
/// - (HELD-1) What is granted is what open transactions have. One that ends gives all back, and so
///   does one that its user has forgotten, once the collector has found that.
/// - (HELD-2) A transaction waits for memory that others have while it has none itself, and for a
///   bounded time: before it is run again.
/// - (HELD-3) What is not counted is a sixth of the heap at most, and [#SMALL_BYTES] of each.
///
/// Thread-safe.
public final class TransactionMemory {
  /// What each transaction has without being counted.
  static final long SMALL_BYTES = 1 << 10;

  /// What a transaction has without being counted while few are open. Most need no more, and never
  /// meet others here.
  static final long UNCOUNTED_BYTES = 64 << 10;

  /// A transaction is granted as much again as it has, in steps between these.
  private static final long STEP_BYTES_MIN = 2 << 10;

  private static final long STEP_BYTES_MAX = 64 << 10;

  /// How long a transaction is run again that finds what it needs in use by others.
  static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private static final long LOOK_NANOS = 1_000_000;

  /// What the cache may leave of the heap at least, as a part of it, where its bound is larger.
  private static final int HEAP_PARTS = 4;

  private final long ofOneBytesMax;
  private final long bytesMax;
  private final long withCommitBytesMax;
  private final Clock clock;
  private final AtomicLong grantedBytes = new AtomicLong();

  /// Transactions that have begun and not ended, those included that are forgotten. What counts
  /// makes no object: one that ends for lack of memory is counted as well.
  private final AtomicLong open = new AtomicLong();

  private final Set<Grant> grants = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Object> forgotten = new ReferenceQueue<>();

  /// @param heapBytes what the heap has for transactions, what their commits change included
  TransactionMemory(long heapBytes, Clock clock) {
    this.ofOneBytesMax = heapBytes / 2;
    this.bytesMax = heapBytes / 3 * 2;
    this.withCommitBytesMax = heapBytes / 6 * 5;
    this.clock = clock.ofCallers();
  }

  /// The account of a store.
  ///
  /// @param cacheBytes what pages may take of the heap
  public static TransactionMemory of(long heapBytesMax, long cacheBytes, Clock clock) {
    return new TransactionMemory(
        Math.max(heapBytesMax - cacheBytes, heapBytesMax / HEAP_PARTS), clock);
  }

  /// The most that one transaction may need.
  long ofOneBytesMax() {
    return ofOneBytesMax;
  }

  /// The most that all may need together.
  long bytesMax() {
    return bytesMax;
  }

  /// The most that all may need together with what a commit loads: much of that is in the cache
  /// anyway.
  long withCommitBytesMax() {
    return withCommitBytesMax;
  }

  /// Counts a transaction that begins.
  void begun() {
    open.incrementAndGet();
  }

  /// Counts a transaction that has ended.
  void ended() {
    open.decrementAndGet();
  }

  /// What a transaction that needs more than [#SMALL_BYTES] has without being counted (HELD-3).
  long uncountedBytes() {
    boolean areFew = open.get() <= withCommitBytesMax / 5 / UNCOUNTED_BYTES; // a sixth of the heap
    return areFew ? UNCOUNTED_BYTES : SMALL_BYTES;
  }

  /// What is granted now.
  long grantedBytes() {
    return grantedBytes.get();
  }

  /// What one transaction was granted. Lives on when the transaction is forgotten.
  static final class Grant extends PhantomReference<Object> {
    private volatile long bytes;

    private Grant(Object holder, ReferenceQueue<Object> forgotten) {
      super(holder, forgotten);
    }
  }

  /// The grant of a transaction, of nothing at first.
  ///
  /// @param holder whose grant ends when nobody refers to it any more
  Grant grant(Object holder) {
    Grant grant = new Grant(holder, forgotten);
    grants.add(grant);
    return grant;
  }

  /// Grants more to a transaction. For the thread that uses it.
  ///
  /// @param bytes that it needs at least
  /// @param max what all may have with them
  /// @return the bytes granted; 0 if others have too many
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  long tryGrant(Grant grant, long bytes, long max) {
    long step = Math.clamp(grant.bytes, STEP_BYTES_MIN, STEP_BYTES_MAX);
    long more = Math.ceilDiv(bytes, step) * step;
    long before;
    do {
      before = grantedBytes.get();
      if (before + more > max) {
        if (more == bytes && !releaseForgotten()) {
          return 0;
        }
        more = bytes; // or it would be refused what it has waited for
        before = -1;
      }
    } while (before < 0 || !grantedBytes.compareAndSet(before, before + more));
    grant.bytes += more;
    return more;
  }

  /// Takes back what a transaction was granted. Idempotent.
  void release(Grant grant) {
    if (grants.remove(grant)) {
      grantedBytes.addAndGet(-grant.bytes);
      grant.clear();
    }
  }

  private boolean releaseForgotten() {
    boolean released = false;
    for (Object next = forgotten.poll(); next != null; next = forgotten.poll()) {
      release((Grant) next);
      released = true;
    }
    return released;
  }

  /// Now, for [#await].
  long nanoTime() {
    return clock.nanoTime();
  }

  /// Waits until a transaction that has ended would be granted what it needed (HELD-2).
  ///
  /// @param max what all may have with that
  /// @param sinceNanos when it first found that others had it
  /// @return false if it waited too long
  /// @throws io.varve.StoreClosedException if the store was closed
  boolean await(long bytes, long max, long sinceNanos, Lifecycle lifecycle) {
    while (clock.nanoTime() - sinceNanos < WAIT_NANOS_MAX) {
      lifecycle.requireOpen();
      if (grantedBytes.get() + bytes <= max || releaseForgotten()) {
        return true;
      }
      clock.delay(this, LOOK_NANOS);
    }
    return false;
  }
}
