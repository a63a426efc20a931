package io.varve.internal.map;

import io.varve.PeriodicPurge;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A purge that is run again and again by a virtual thread of its own.
///
/// The store is referred to weakly: one that its program has forgotten is not kept in memory until
/// the next purge finds it closed.
public final class ScheduledPurge implements PeriodicPurge {
  /// Removes from a store what has ended, until another thread ends it.
  @FunctionalInterface
  public interface Purge {
    /// Purges once.
    ///
    /// @param isOver looked at between commits
    void run(Store store, BooleanSupplier isOver);
  }

  private final String table;
  private final WeakReference<Store> store;
  private final Purge purge;
  private final ScheduledExecutorService scheduler;
  private boolean failed; // for the thread of the scheduler

  private ScheduledPurge(String table, Store store, Purge purge) {
    this.table = table;
    this.store = new WeakReference<>(store);
    this.purge = purge;
    this.scheduler = Executors.newSingleThreadScheduledExecutor(ScheduledPurge::thread);
  }

  /// A thread that keeps nothing of the one that asked for the purge.
  private static Thread thread(Runnable work) {
    Thread thread =
        Thread.ofVirtual()
            .name("varve-purge")
            .inheritInheritableThreadLocals(false)
            .unstarted(work);
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    return thread;
  }

  /// Purges now, and each time that `period` has passed after a purge.
  ///
  /// @param table the name, for warnings
  public static PeriodicPurge start(String table, Store store, Duration period, Purge purge) {
    var scheduled = new ScheduledPurge(table, store, purge);
    long nanos = TimeUnit.NANOSECONDS.convert(period); // at most 292 years
    var _ =
        scheduled.scheduler.scheduleWithFixedDelay(
            scheduled::purge, 0, nanos, TimeUnit.NANOSECONDS);
    return scheduled;
  }

  private void purge() {
    Store open = store.get();
    if (open == null) {
      close();
      return;
    }
    try {
      purge.run(open, scheduler::isShutdown);
      failed = false;
    } catch (StoreClosedException | StoreFailedException e) {
      close();
    } catch (Throwable e) { // the scheduler would run it no more, and say nothing
      warn(e);
    }
  }

  /// Warns once, until a purge succeeds again. What has ended is absent all the same.
  private void warn(Throwable cause) {
    if (!failed) {
      failed = true;
      System.getLogger(ScheduledPurge.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a purge failed, and is tried again after its period: table=" + table,
              cause);
    }
  }

  @Override
  public void close() {
    scheduler.shutdown();
  }
}
