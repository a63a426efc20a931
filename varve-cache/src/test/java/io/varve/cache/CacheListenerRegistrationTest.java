package io.varve.cache;

import static io.varve.cache.ListenedCaches.hearing;
import static io.varve.cache.ListenedCaches.listed;
import static io.varve.cache.ListenedCaches.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.ListenedCaches.Way;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the registration of a listener, and its failure, does to other listeners and to itself.
@Timeout(120)
class CacheListenerRegistrationTest {
  private final TestClock clock = new TestClock();
  private final CacheManager manager = clock.manager(null);

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private Cache<Integer, Long> newCache(StorageMode mode) {
    return manager.createCache("c", options(mode));
  }

  @Test
  void aCallThatFailsKeepsNoOtherKindFromAListener() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    cache.put(1, 1L);
    cache.put(2, 1L);
    LinkedBlockingQueue<Integer> removed = new LinkedBlockingQueue<>();
    class Failing
        implements CacheEntryCreatedListener<Integer, Long>,
            CacheEntryRemovedListener<Integer, Long> {
      @Override
      public void onCreated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
        throw new IllegalStateException("no");
      }

      @Override
      public void onRemoved(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
        events.forEach(event -> removed.add(event.getKey()));
      }
    }
    cache.registerCacheEntryListener(
        new CacheListenerOptions<Integer, Long>(
                Failing::new,
                () ->
                    event -> {
                      if (event.getKey() == 1) {
                        throw new IllegalStateException("no filter");
                      }
                      return true;
                    },
                false,
                false)
            .coalesce(3, Duration.ofHours(1)));
    cache.remove(1);
    cache.put(3, 1L);
    cache.remove(2);
    assertThat(removed.take()).isEqualTo(2);
  }

  @Test
  void anotherListenerThatFailsKeepsNoneFromBeingRegistered() {
    CacheOptions<Integer, Long> options = options(StorageMode.HEAP);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    // A minute from purge to purge, so that it is the replay that meets what has ended.
    try (CacheManager unpurged = clock.manager(null, Duration.ofMinutes(1))) {
      Cache<Integer, Long> cache = unpurged.createCache("c", options);
      CacheEntryExpiredListener<Integer, Long> failing =
          _ -> {
            throw new IllegalStateException("no");
          };
      cache.registerCacheEntryListener(
          new CacheListenerOptions<Integer, Long>(() -> failing, null, false, true));
      cache.put(1, 1L);
      clock.move(Duration.ofSeconds(11));
      cache.put(2, 2L);
      MirrorListener<Integer, Long> listener = new MirrorListener<>();
      cache.registerCacheEntryListener(hearing(listener, Way.SYNCHRONOUS));
      assertThat(listener.mirror).isEqualTo(Map.of(2, 2L));
      assertThat(listener.faults).isEmpty();
    }
  }

  @Test
  void aListenerThatIsDeregisteredInItsReplayIsNot() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    cache.put(1, 1L);
    cache.put(2, 1L);
    List<CacheListenerOptions<Integer, Long>> options = new ArrayList<>();
    AtomicInteger heard = new AtomicInteger();
    CacheEntryCreatedListener<Integer, Long> ending =
        _ -> {
          heard.incrementAndGet();
          cache.deregisterCacheEntryListener(options.getFirst());
        };
    options.add(
        new CacheListenerOptions<Integer, Long>(() -> ending, null, false, true)
            .includeCurrentState(true));
    cache.registerCacheEntryListener(options.getFirst());
    cache.put(3, 1L);
    assertThat(heard).hasValue(1);
    assertThat(listed(cache)).isEmpty();
    cache.registerCacheEntryListener(options.getFirst());
    assertThat(heard).hasValue(2);
  }

  @Test
  void aListenerThatTwoRegisterTogetherIsRegisteredOnce() throws Exception {
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 200; round++) {
        Cache<Integer, Long> cache = manager.createCache("c" + round, options(StorageMode.HEAP));
        AtomicInteger heard = new AtomicInteger();
        CacheEntryCreatedListener<Integer, Long> counting = _ -> heard.incrementAndGet();
        var options = new CacheListenerOptions<Integer, Long>(() -> counting, null, false, true);
        CyclicBarrier start = new CyclicBarrier(2);
        List<Future<Boolean>> both = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
          both.add(
              threads.submit(() -> {
                start.await();
                try {
                  cache.registerCacheEntryListener(options);
                  return true;
                } catch (IllegalArgumentException e) {
                  return false;
                }
              }));
        }
        assertThat(both.get(0).get()).isNotEqualTo(both.get(1).get());
        cache.put(1, 1L);
        assertThat(heard).hasValue(1);
        assertThat(listed(cache)).hasSize(1);
        cache.close();
      }
    }
  }

  /// It stayed registered, and the caller that had deregistered it was notified of all changes.
  @Test
  void aListenerThatIsDeregisteredWhileItsFactoryRunsIsClosedAndNotNotified() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    AtomicInteger heard = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    class Counting implements CacheEntryCreatedListener<Integer, Long>, Closeable {
      @Override
      public void onCreated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> events) {
        heard.incrementAndGet();
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    }
    List<CacheListenerOptions<Integer, Long>> options = new ArrayList<>();
    AtomicInteger made = new AtomicInteger();
    Factory<Counting> factory =
        () -> {
          if (made.incrementAndGet() == 1) {
            cache.deregisterCacheEntryListener(options.getFirst());
          }
          return new Counting();
        };
    options.add(
        new CacheListenerOptions<Integer, Long>(factory, null, false, true)
            .includeCurrentState(true));
    cache.put(1, 1L);
    cache.registerCacheEntryListener(options.getFirst());
    cache.put(2, 1L);
    assertThat(heard).hasValue(0);
    assertThat(closed).hasValue(1);
    assertThat(listed(cache)).isEmpty();
    cache.registerCacheEntryListener(options.getFirst());
    assertThat(heard).as("of what is there").hasValue(2);
    assertThat(listed(cache)).hasSize(1);
  }

  @Test
  void listenersThatDifferInWhatJCacheDoesNotKnowAreTwo() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    Factory<MirrorListener<Integer, Long>> factory = () -> listener;
    var plain =
        new MutableCacheEntryListenerConfiguration<Integer, Long>(factory, null, true, true);
    var more = new CacheListenerOptions<Integer, Long>(factory, null, true, true);
    cache.registerCacheEntryListener(plain);
    cache.registerCacheEntryListener(more);
    cache.deregisterCacheEntryListener(plain);
    cache.put(1, 1L);
    assertThat(listener.heard).containsExactly(1);
    assertThat(listener.faults).isEmpty();
    assertThat(listed(cache)).containsExactly(more);
  }
}
