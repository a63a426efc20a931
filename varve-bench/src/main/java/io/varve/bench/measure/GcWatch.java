package io.varve.bench.measure;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/// Adds up the pauses of the garbage collector within the times measured.
public final class GcWatch implements Cell.Observer, AutoCloseable {
  private final NotificationListener listener = this::noted;
  private final AtomicLong pauseMillis = new AtomicLong();
  private final AtomicLong pauseMillisMax = new AtomicLong();
  // Written by the measuring thread, read by the one that delivers notifications.
  private volatile boolean measuring;
  private long beginNanos;
  private long measuredNanos;

  /// Begins to listen.
  public GcWatch() {
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) bean).addNotificationListener(listener, null, null);
    }
  }

  @Override
  public void begins() {
    beginNanos = System.nanoTime();
    measuring = true;
  }

  @Override
  public void ends() {
    measuring = false;
    measuredNanos += System.nanoTime() - beginNanos;
  }

  private void noted(Notification notification, @Nullable Object handback) {
    if (measuring
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
      long millis = info.getGcInfo().getDuration();
      pauseMillis.addAndGet(millis);
      pauseMillisMax.accumulateAndGet(millis, Math::max);
    }
  }

  /// Milliseconds of pauses per second measured.
  public double pauseMillisPerSecond() {
    return measuredNanos == 0 ? 0 : pauseMillis.get() * 1e9 / measuredNanos;
  }

  /// The time of the longest pause, in milliseconds.
  public long pauseMillisMax() {
    return pauseMillisMax.get();
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) bean).removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException("the listener was added at the start", e);
      }
    }
  }
}
