package io.varve.cache;

import static io.varve.cache.ListenedCaches.await;
import static io.varve.cache.ListenedCaches.awaitHeard;
import static io.varve.cache.ListenedCaches.batches;
import static io.varve.cache.ListenedCaches.options;
import static io.varve.cache.ListenedCaches.varve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.ListenedCaches.Batches;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Listeners that hear of changes in batches, and what is done when they cannot keep up.
@Timeout(120)
class CacheListenerBatchTest {
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
  void changesOfAKeyThatWaitAreWhatTheyComeTo() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    cache.put(3, 30L);
    cache.put(4, 40L);
    Batches listener = new Batches();
    cache.registerCacheEntryListener(batches(listener, 100));
    listener.occupyBy(cache);
    cache.put(1, 1L);
    cache.put(1, 2L);
    cache.put(2, 1L); // comes and goes
    cache.remove(2);
    cache.remove(3); // goes and comes
    cache.put(3, 31L);
    cache.put(4, 41L); // changes and goes
    cache.remove(4);
    listener.mayHear.release(100);
    assertThat(listener.heard.take()).containsExactly("CREATED -1 null 0");
    assertThat(listener.heard.take()).containsExactly("CREATED 1 null 2");
    assertThat(listener.heard.take()).containsExactly("UPDATED 3 30 31");
    assertThat(listener.heard.take()).containsExactly("REMOVED 4 40 40");
  }

  @Test
  void aBatchIsNoLargerThanAskedFor() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    cache.registerCacheEntryListener(batches(listener, 10));
    listener.occupyBy(cache);
    for (int key = 0; key < 25; key++) {
      cache.put(key, 1L);
    }
    listener.mayHear.release(100);
    assertThat(listener.heard.take()).hasSize(1);
    assertThat(listener.heard.take()).hasSize(10).first().isEqualTo("CREATED 0 null 1");
    assertThat(listener.heard.take()).hasSize(10).first().isEqualTo("CREATED 10 null 1");
    assertThat(listener.heard.take()).hasSize(5);
  }

  @Test
  void changesGatherUntilABatchIsFull() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    listener.mayHear.release(100);
    cache.registerCacheEntryListener(batches(listener, 3).coalesce(3, Duration.ofHours(1)));
    cache.put(1, 1L);
    cache.put(2, 1L);
    cache.put(2, 2L);
    cache.put(3, 1L);
    assertThat(listener.heard.take())
        .containsExactly("CREATED 1 null 1", "CREATED 2 null 2", "CREATED 3 null 1");
  }

  @Test
  void whoChangesTooMuchWaitsForTheListener() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.TIERED);
    Batches listener = new Batches();
    cache.registerCacheEntryListener(batches(listener, 100).waitingKeysMax(5, WhenFull.WAIT));
    listener.occupyBy(cache);
    Thread changer =
        Thread.ofPlatform()
            .start(() -> {
              for (int key = 0; key < 10; key++) {
                cache.put(key, 1L);
              }
            });
    Stop.awaitWaiting(changer);
    // The change is done, and its key is free, while its thread waits.
    assertThat(varve(cache).size()).isEqualTo(7);
    VarveCache<Integer, Long> immediately =
        varve(cache).with(Flag.ZERO_LOCK_WAIT, Flag.SKIP_LISTENERS);
    assertThat(immediately.replace(5, 2L)).isTrue();
    assertThat(cache.get(77)).as("a read notifies no listener, and waits for none").isNull();
    listener.mayHear.release(100);
    changer.join();
    awaitHeard(listener, 11);
  }

  @Test
  void aListenerMayRatherMissTheOldest() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    cache.registerCacheEntryListener(
        batches(listener, 100).waitingKeysMax(2, WhenFull.DROP_OLDEST));
    listener.occupyBy(cache);
    for (int key = 0; key < 5; key++) {
      cache.put(key, 1L);
    }
    assertThat(varve(cache).statistics().droppedEvents()).isEqualTo(3);
    listener.mayHear.release(100);
    assertThat(listener.heard.take()).hasSize(1);
    assertThat(listener.heard.take()).containsExactly("CREATED 3 null 1", "CREATED 4 null 1");
  }

  /// A listener that had to wait for itself would wait forever.
  @Test
  void aListenerMayChangeTheCacheThatWaitsForIt() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    CountDownLatch heard = new CountDownLatch(100);
    CacheEntryCreatedListener<Integer, Long> following =
        events ->
            events.forEach(event -> {
              heard.countDown();
              if (event.getKey() < 100) {
                cache.put(event.getKey() * 2 + 1, 1L);
                cache.put(event.getKey() * 2 + 2, 1L);
              }
            });
    cache.registerCacheEntryListener(
        new CacheListenerOptions<Integer, Long>(() -> following)
            .coalesce(1, Duration.ZERO)
            .waitingKeysMax(1, WhenFull.WAIT));
    cache.put(0, 1L);
    heard.await();
  }

  @Test
  void whoWaitsForAListenerContinuesWhenItIsDeregistered() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    var options = batches(listener, 100).waitingKeysMax(1, WhenFull.WAIT);
    cache.registerCacheEntryListener(options);
    listener.occupyBy(cache);
    Thread changer =
        Thread.ofPlatform()
            .start(() -> {
              for (int key = 0; key < 10; key++) {
                cache.put(key, 1L);
              }
            });
    Stop.awaitWaiting(changer);
    cache.deregisterCacheEntryListener(options);
    changer.join();
    listener.mayHear.release(100);
  }

  @Test
  void aSynchronousListenerHearsNoBatches() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    var options =
        new CacheListenerOptions<Integer, Long>(MirrorListener::new, null, false, true)
            .coalesce(10, Duration.ZERO);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(options))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// Guards against a queue that is full, and so can gather no batch, and waits for one all the
  /// same.
  @ParameterizedTest
  @EnumSource
  void aFullQueueIsDeliveredImmediately(WhenFull whenFull) throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    listener.mayHear.release(1000);
    cache.registerCacheEntryListener(
        batches(listener, 1000)
            .coalesce(1000, Duration.ofSeconds(Long.MAX_VALUE))
            .waitingKeysMax(3, whenFull));
    for (int key = 0; key < 3; key++) {
      cache.put(key, 1L);
    }
    awaitHeard(listener, 3);
    for (int key = 0; key < 30; key++) {
      cache.put(key, 2L);
    }
  }

  @Test
  void whoChangesAnotherCacheWithinAChangeWaitsAfter() throws InterruptedException {
    Cache<Integer, Long> outer = newCache(StorageMode.HEAP);
    Cache<Integer, Long> inner = manager.createCache("inner", options(StorageMode.HEAP));
    Batches listener = new Batches();
    inner.registerCacheEntryListener(batches(listener, 100).waitingKeysMax(5, WhenFull.WAIT));
    listener.occupyBy(inner);
    Thread changer =
        Thread.ofPlatform()
            .start(() -> {
              for (int key = 0; key < 50; key++) {
                outer.invoke(
                    key,
                    (entry, _) -> {
                      inner.put(entry.getKey(), 1L);
                      return null;
                    });
              }
            });
    Stop.awaitWaiting(changer);
    assertThat(varve(inner).size()).isEqualTo(7);
    listener.mayHear.release(100);
    changer.join();
    awaitHeard(listener, 51);
  }

  @Test
  void thePurgeWaitsForAListenerThatCannotKeepUp() throws InterruptedException {
    CacheOptions<Integer, Long> options = options(StorageMode.HEAP);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    Cache<Integer, Long> cache = manager.createCache("c", options);
    for (int key = 0; key < 100; key++) {
      cache.put(key, 1L);
    }
    Batches listener = new Batches();
    cache.registerCacheEntryListener(batches(listener, 100).waitingKeysMax(5, WhenFull.WAIT));
    listener.occupyBy(cache);
    clock.move(Duration.ofSeconds(11));
    await(CacheListenerBatchTest::isPurgeWaiting);
    assertThat(varve(cache).size()).isGreaterThan(90);
    listener.mayHear.release(100);
    await(() -> varve(cache).size() == 0);
  }

  private static boolean isPurgeWaiting() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread ->
            thread.getName().equals("varve-cache-purge")
                && thread.getState() == Thread.State.WAITING);
  }

  /// Guards against an entry that a listener heard of, went unheard, came and went, and is there
  /// for the listener for good.
  @Test
  void whatWasClearedCameAndWentIsHeardToBeGone() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    Batches listener = new Batches();
    cache.registerCacheEntryListener(batches(listener, 100));
    listener.mayHear.release();
    cache.put(1, 1L);
    assertThat(listener.heard.take()).containsExactly("CREATED 1 null 1");
    cache.put(-1, 0L);
    await(listener.mayHear::hasQueuedThreads);
    cache.clear();
    cache.put(1, 2L);
    cache.remove(1);
    listener.mayHear.release(100);
    assertThat(listener.heard.take()).containsExactly("CREATED -1 null 0");
    assertThat(listener.heard.take()).containsExactly("REMOVED 1 2 2");
  }
}
