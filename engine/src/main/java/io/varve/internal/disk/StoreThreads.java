package io.varve.internal.disk;

/// The threads that a store works with, so that a test can schedule them.
public interface StoreThreads {

  /// Platform threads, which end with the JVM, and virtual ones.
  StoreThreads PLATFORM =
      new StoreThreads() {
        @Override
        public Thread newThread(String name, Runnable work) {
          return Thread.ofPlatform().daemon().name(name).unstarted(work);
        }

        @Override
        public Thread newVirtualThread(String name, Runnable work) {
          return Thread.ofVirtual().name(name).unstarted(work);
        }

        @Override
        public boolean callerMayServe() {
          return !Thread.currentThread().isVirtual();
        }
      };

  /// Makes a thread of the store's own; it is not started.
  Thread newThread(String name, Runnable work);

  /// Makes a thread for one short piece of work, of which there may be many at a time; it is not
  /// started.
  default Thread newVirtualThread(String name, Runnable work) {
    return newThread(name, work);
  }

  /// Whether the calling thread, a user's, may do work for others while it waits: write the log for
  /// all that wait for it, and yield in a loop. A virtual thread would keep its carrier from the
  /// threads that it waits for.
  boolean callerMayServe();
}
