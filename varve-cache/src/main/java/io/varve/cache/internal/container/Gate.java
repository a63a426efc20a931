package io.varve.cache.internal.container;

import io.varve.spi.StackReserve;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// What steps of changes pass, and what clearing and closing a cache shut.
///
/// - (G1) A step runs no code of users and waits for no lock of a key. So a clear or a close waits
///   for steps alone, never for a loader, a writer, a processor or a listener. Any of these may
///   clear or close the cache that calls it.
/// - (G2) No step runs during a clear or a look at all entries, nor after a close.
/// - (G3) A change that began before a clear and comes to its step after it is dropped: it counts
///   as one that came before the clear.
public final class Gate {
  private final String cacheName;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /// Raised by each clear. Written under the write lock, read by each thread that begins a change.
  private final AtomicLong clears = new AtomicLong();

  /// Set once, under the write lock.
  private volatile boolean closed;

  /// Makes the open gate of a cache.
  public Gate(String cacheName) {
    this.cacheName = cacheName;
  }

  /// Whether the cache is closed.
  public boolean isClosed() {
    return closed;
  }

  /// Fails if the cache is closed.
  public void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache is closed: cache=" + cacheName);
    }
  }

  /// The number of clears so far, for [#pass].
  long clears() {
    return clears.get();
  }

  /// Runs a step of a change, unless the cache was cleared since the change began.
  ///
  /// @param clearsBefore [#clears] when the change began
  void pass(long clearsBefore, Runnable step) {
    Lock shared = lock.readLock();
    shared.lock();
    try {
      requireOpen();
      if (clears.get() == clearsBefore) {
        step.run();
      }
    } finally {
      shared.unlock();
    }
  }

  /// Runs a clear, which no step overlaps.
  void clear(Runnable removal) {
    StackReserve.require();
    Lock exclusive = lock.writeLock();
    exclusive.lock();
    try {
      requireOpen();
      clears.incrementAndGet();
      removal.run();
    } finally {
      exclusive.unlock();
    }
  }

  /// Looks at entries while no step changes any.
  <T> T look(Supplier<T> look) {
    StackReserve.require();
    Lock exclusive = lock.writeLock();
    exclusive.lock();
    try {
      requireOpen();
      return look.get();
    } finally {
      exclusive.unlock();
    }
  }

  /// Closes the gate once the last step has passed.
  ///
  /// @return whether it was open
  public boolean close() {
    Lock exclusive = lock.writeLock();
    exclusive.lock();
    try {
      boolean wasOpen = !closed;
      closed = true;
      return wasOpen;
    } finally {
      exclusive.unlock();
    }
  }
}
