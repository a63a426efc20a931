package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/// Caches whose listeners mirror them, or take batches only when they may.
final class ListenedCaches {
  static final int KEYS = 300;

  private ListenedCaches() {}

  static CacheOptions<Integer, Long> options(StorageMode mode) {
    CacheOptions<Integer, Long> options = new CacheOptions<>();
    options.setTypes(Integer.class, Long.class);
    options.mode(mode).segments(40).durability(Durability.BACKGROUND);
    return mode.hasPages() ? options.heapEntriesMax(KEYS / 4) : options;
  }

  @SuppressWarnings("unchecked") // it is one
  static VarveCache<Integer, Long> varve(Cache<Integer, Long> cache) {
    return cache.unwrap(VarveCache.class);
  }

  /// How listeners of the stress test hear.
  enum Way {
    SYNCHRONOUS,
    ONE_BY_ONE,
    BATCHES,
    SMALL_BATCHES_THAT_CHANGES_WAIT_FOR
  }

  static CacheListenerOptions<Integer, Long> hearing(
      MirrorListener<Integer, Long> listener, Way way) {
    CacheListenerOptions<Integer, Long> options =
        new CacheListenerOptions<Integer, Long>(() -> listener, null, true, way == Way.SYNCHRONOUS)
            .includeCurrentState(true);
    return switch (way) {
      case SYNCHRONOUS, ONE_BY_ONE -> options;
      case BATCHES -> options.coalesce(1000, Duration.ofMillis(1));
      case SMALL_BATCHES_THAT_CHANGES_WAIT_FOR ->
          options.coalesce(3, Duration.ZERO).waitingKeysMax(5, WhenFull.WAIT);
    };
  }

  /// Notes batches, and takes each one only when it may.
  static final class Batches
      implements CacheEntryCreatedListener<Integer, Long>,
          CacheEntryUpdatedListener<Integer, Long>,
          CacheEntryRemovedListener<Integer, Long> {
    final LinkedBlockingQueue<List<String>> heard = new LinkedBlockingQueue<>();
    final Semaphore mayHear = new Semaphore(0);
    final CountDownLatch hears = new CountDownLatch(1);

    private void hear(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
      hears.countDown();
      mayHear.acquireUninterruptibly();
      List<String> batch = new ArrayList<>();
      events.forEach(event ->
          batch.add(
              event.getEventType()
                  + " "
                  + event.getKey()
                  + " "
                  + event.getOldValue()
                  + " "
                  + event.getValue()));
      heard.add(batch);
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
      hear(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
      hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
      hear(events);
    }

    /// Makes it busy with the first change of a cache, until [#mayHear] has a permit.
    void occupyBy(Cache<Integer, Long> cache) throws InterruptedException {
      cache.put(-1, 0L);
      hears.await();
    }
  }

  static CacheListenerOptions<Integer, Long> batches(Batches listener, int eventsMax) {
    return new CacheListenerOptions<Integer, Long>(() -> listener, null, true, false)
        .coalesce(eventsMax, Duration.ZERO);
  }

  /// Takes batches until so many events were heard.
  static void awaitHeard(Batches listener, int events) throws InterruptedException {
    int left = events;
    while (left > 0) {
      left -= listener.heard.take().size();
    }
    assertThat(left).as("events too many").isZero();
  }

  /// Waits for what no listener can report.
  static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.yield();
    }
  }

  @SuppressWarnings("unchecked") // it is of these
  static List<Object> listed(Cache<Integer, Long> cache) {
    List<Object> listed = new ArrayList<>();
    CacheOptions<Integer, Long> options = cache.getConfiguration(CacheOptions.class);
    options.getCacheEntryListenerConfigurations().forEach(listed::add);
    return listed;
  }
}
