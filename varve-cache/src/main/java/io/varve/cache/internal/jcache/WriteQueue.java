package io.varve.cache.internal.jcache;

import io.varve.cache.WriteBehind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/// Changes that wait for a writer, at most one for each key. One thread takes them; others add.
///
/// (WQ-1) A change of a key is given out only when no earlier one of the key is in flight: there is
/// one thread that takes, and it reports what became of a batch before it takes the next.
///
/// (WQ-2) A change that was replaced is never written after the one that replaced it: what comes
/// back from a batch that failed gives way to what was added since.
///
/// (WQ-3) No thread waits here with the lock of a key: the writer may change any key of its cache.
/// A thread waits after its change, as for listeners.
///
/// (WQ-4) A change that was let in before the close is written, if it is added: the thread that
/// takes waits for it.
///
/// @param <K> the keys
final class WriteQueue<K> implements Backpressure {
  private final WriteBehind options;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition hasCapacity = lock.newCondition();

  /// In the order in which keys came. Guarded by the lock, as all below.
  private final Map<K, Waiting<K>> waiting = new LinkedHashMap<>();

  private final Map<K, Waiting<K>> inFlight = new LinkedHashMap<>();
  private int admitted;
  private boolean closed;
  private boolean stopped;

  /// A change that waits.
  ///
  /// @param form of the value, or null if the key was removed
  /// @param number higher for later changes
  /// @param attempts that failed when it was given to the writer alone
  /// @param sinceNanos when it was added
  record Waiting<K>(K key, @Nullable Object form, long number, int attempts, long sinceNanos) {
    private Waiting<K> afterFailure(boolean wasAlone) {
      return new Waiting<>(key, form, number, wasAlone ? attempts + 1 : attempts, sinceNanos);
    }
  }

  WriteQueue(WriteBehind options) {
    this.options = options;
  }

  /// Lets a change in, which is to be [added][#add] or [dismissed][#dismiss].
  ///
  /// @param isBounded whether it is of another thread than the writer's. A change of the writer's
  ///   thread is let in until the queue is stopped, whatever waits already
  /// @throws CacheWriterException if there is no capacity and changes are refused then, or if the
  ///   queue is closed
  void admit(K key, boolean isBounded) {
    lock.lock();
    try {
      if (stopped || (closed && isBounded)) {
        throw new CacheWriterException(
            "the cache is closed, or its store failed: the change was not made");
      }
      if (isBounded && options.refusesWhenFull() && !waiting.containsKey(key) && isFull()) {
        throw new CacheWriterException(
            "too many changes wait for the writer of the cache: waitingMax="
                + options.waitingMax()
                + "; the change was not made, try again later");
      }
      admitted++;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    return waiting.size() + inFlight.size() + admitted >= options.waitingMax();
  }

  /// Adds a change that was let in. If too many wait then, and changes are not refused, the thread
  /// is to [wait][#awaitCapacity] once it holds no key.
  ///
  /// @return the change of the key that it replaces, which is not written; null for none
  @Nullable Waiting<K> add(Waiting<K> change) {
    lock.lock();
    try {
      admitted--;
      Waiting<K> replaced = waiting.get(change.key());
      // The position of the first one stays, and its age: so no key waits forever.
      waiting.put(
          change.key(),
          replaced == null
              ? change
              : new Waiting<>(
                  change.key(), change.form(), change.number(), 0, replaced.sinceNanos()));
      changed.signal();
      if (replaced == null && !options.refusesWhenFull() && isOverfull()) {
        Nesting.reported(this);
      }
      return replaced;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOverfull() {
    return waiting.size() + inFlight.size() > options.waitingMax();
  }

  /// Takes back that a change was let in.
  void dismiss() {
    lock.lock();
    try {
      admitted--;
      changed.signal(); // the thread that takes may wait for it alone (WQ-4)
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is capacity, the queue is closed, or the thread is interrupted. What it has
  /// added waits in any case.
  @Override
  public void awaitCapacity() {
    lock.lock();
    try {
      while (!closed && isOverfull()) {
        hasCapacity.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /// The change of a key that waits or is being written; null for none.
  @Nullable Waiting<K> find(K key) {
    lock.lock();
    try {
      Waiting<K> found = waiting.get(key);
      return found == null ? inFlight.get(key) : found;
    } finally {
      lock.unlock();
    }
  }

  /// Takes the oldest changes. Waits until they fill a batch, or the first has waited long enough.
  ///
  /// @param count the most changes
  /// @return none once the queue is stopped, or closed and empty
  List<Waiting<K>> take(int count) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && waiting.size() < count) {
        if (waiting.isEmpty()) {
          changed.await();
          continue;
        }
        long age = System.nanoTime() - waiting.values().iterator().next().sinceNanos();
        long left = options.delay().toNanos() - age;
        if (left <= 0) {
          break;
        }
        changed.awaitNanos(left);
      }
      while (!stopped && waiting.isEmpty() && admitted > 0) {
        changed.await(); // (WQ-4)
      }
      if (stopped) {
        return List.of();
      }
      Iterator<Waiting<K>> oldest = waiting.values().iterator();
      while (oldest.hasNext() && inFlight.size() < count) {
        Waiting<K> taken = oldest.next();
        oldest.remove();
        inFlight.put(taken.key(), taken);
      }
      return List.copyOf(inFlight.values());
    } finally {
      lock.unlock();
    }
  }

  /// Records what became of the changes that were taken last.
  ///
  /// @param unwritten those that were not written. They are tried again unless they were replaced
  ///   or have been tried often enough
  /// @return those that were tried often enough
  List<Waiting<K>> finish(Collection<Waiting<K>> unwritten) {
    lock.lock();
    try {
      boolean wasAlone = inFlight.size() == 1;
      inFlight.clear();
      List<Waiting<K>> dropped = new ArrayList<>();
      for (Waiting<K> failed : unwritten) {
        Waiting<K> again = failed.afterFailure(wasAlone);
        if (waiting.containsKey(again.key())) {
          continue; // (WQ-2)
        }
        if (options.retry().attemptsMax() > 0
            && again.attempts() >= options.retry().attemptsMax()) {
          dropped.add(again);
        } else {
          waiting.put(again.key(), again);
        }
      }
      hasCapacity.signalAll();
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /// Waits, unless the queue is closed or will be.
  void pause(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Lets no more changes in, except those of the writer's thread. Those that wait can be taken
  /// without delay.
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      hasCapacity.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Lets no more changes in or out.
  void stop() {
    lock.lock();
    try {
      stopped = true;
      close();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /// The number of changes that wait or are being written.
  int size() {
    lock.lock();
    try {
      return waiting.size() + inFlight.size();
    } finally {
      lock.unlock();
    }
  }
}
