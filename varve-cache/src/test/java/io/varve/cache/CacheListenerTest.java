package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Listeners that hear of what is there, and of changes in batches.
@Timeout(120)
class CacheListenerTest {
  private static final int KEYS = 300;
  private static final int THREADS = 6;
  private static final int CHANGES = 2000;

  private final TestClock clock = new TestClock();
  private final CacheManager manager = clock.manager(null);

  @TempDir private Path directory;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private static CacheOptions<Integer, Long> options(StorageMode mode) {
    CacheOptions<Integer, Long> options = new CacheOptions<>();
    options.setTypes(Integer.class, Long.class);
    options.mode(mode).segments(40).durability(Durability.BACKGROUND);
    return mode.hasPages() ? options.heapEntriesMax(KEYS / 4) : options;
  }

  private Cache<Integer, Long> newCache(StorageMode mode) {
    return manager.createCache("c", options(mode));
  }

  @SuppressWarnings("unchecked") // it is one
  private static VarveCache<Integer, Long> varve(Cache<Integer, Long> cache) {
    return cache.unwrap(VarveCache.class);
  }

  /// How listeners of the stress test hear.
  private enum Way {
    SYNCHRONOUS,
    ONE_BY_ONE,
    BATCHES,
    SMALL_BATCHES_THAT_CHANGES_WAIT_FOR
  }

  private static CacheListenerOptions<Integer, Long> hearing(
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

  /// Registers listeners of each kind, twice, while many threads change entries that move between
  /// heap and pages: each listener ends with the cache, and has heard nothing that did not fit.
  @ParameterizedTest
  @EnumSource
  void whatIsThereAndWhatChangesAddUp(StorageMode mode) throws Exception {
    Cache<Integer, Long> cache = newCache(mode);
    for (int key = 0; key < KEYS; key++) {
      cache.put(key, (long) key);
    }
    List<MirrorListener<Integer, Long>> listeners = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(threads.submit(() -> change(cache, random, done)));
      }
      for (int round = 0; round < 2; round++) {
        for (Way way : Way.values()) {
          MirrorListener<Integer, Long> listener = new MirrorListener<>();
          listeners.add(listener);
          cache.registerCacheEntryListener(hearing(listener, way));
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    Map<Integer, Long> left = new HashMap<>();
    cache.forEach(entry -> left.put(entry.getKey(), entry.getValue()));
    for (MirrorListener<Integer, Long> listener : listeners) {
      await(() -> listener.mirror.equals(left) || !listener.faults.isEmpty());
      assertThat(listener.faults).isEmpty();
    }
    for (Way way : Way.values()) {
      requireReplayed(cache, way, left.keySet());
    }
  }

  /// Without changes concurrently with it, since of one that coalesces these may replace the
  /// replay.
  private static void requireReplayed(Cache<Integer, Long> cache, Way way, Set<Integer> keys) {
    MirrorListener<Integer, Long> late = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(late, way));
    await(() -> late.heard.containsAll(keys));
    assertThat(late.replayed).isEqualTo(keys);
    assertThat(late.faults).isEmpty();
  }

  private static void change(Cache<Integer, Long> cache, SplittableRandom random, AtomicInteger n) {
    for (int i = 0; i < CHANGES; i++) {
      int key = random.nextInt(KEYS);
      long value = KEYS + n.incrementAndGet();
      switch (random.nextInt(5)) {
        case 0 -> cache.remove(key);
        case 1 -> cache.replace(key, value);
        case 2 ->
            cache.invoke(
                key,
                (entry, _) -> {
                  if (entry.exists()) {
                    entry.remove();
                  } else {
                    entry.setValue(value);
                  }
                  return null;
                });
        default -> cache.put(key, value);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThereIsReportedOnceAndMarked(StorageMode mode) {
    Cache<Integer, Long> cache = newCache(mode);
    for (int key = 0; key < KEYS; key++) {
      cache.put(key, (long) key);
    }
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(listener, Way.SYNCHRONOUS));
    assertThat(listener.replayed).hasSize(KEYS);
    cache.put(KEYS, 1L);
    assertThat(listener.replayed).hasSize(KEYS);
    assertThat(listener.mirror).hasSize(KEYS + 1);
    assertThat(listener.faults).isEmpty();
  }

  @Test
  void whatHasEndedIsNotReported() {
    CacheOptions<Integer, Long> options = options(StorageMode.TIERED);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    Cache<Integer, Long> cache = manager.createCache("c", options);
    cache.put(1, 1L);
    clock.move(Duration.ofSeconds(6));
    cache.put(2, 2L);
    clock.move(Duration.ofSeconds(6));
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(listener, Way.SYNCHRONOUS));
    assertThat(listener.mirror).isEqualTo(Map.of(2, 2L));
    clock.move(Duration.ofSeconds(6));
    assertThat(cache.get(2)).isNull();
    assertThat(listener.mirror).isEmpty();
    assertThat(listener.faults).isEmpty();
  }

  @Test
  void aListenerOfTheOptionsHearsWhatADirectoryHolds() {
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    try (CacheManager first = clock.manager(directory)) {
      first.createCache("c", options(StorageMode.OVERFLOW)).put(1, 10L);
    }
    try (CacheManager second = clock.manager(directory)) {
      CacheOptions<Integer, Long> options = options(StorageMode.OVERFLOW);
      options.addCacheEntryListenerConfiguration(hearing(listener, Way.SYNCHRONOUS));
      second.createCache("c", options);
      assertThat(listener.mirror).isEqualTo(Map.of(1, 10L));
      assertThat(listener.replayed).containsExactly(1);
    }
  }

  @Test
  void aListenerThatFailsAtWhatIsThereIsNotRegistered() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    cache.put(1, 1L);
    CacheEntryCreatedListener<Integer, Long> failing =
        _ -> {
          throw new IllegalStateException("no");
        };
    var options =
        new CacheListenerOptions<Integer, Long>(() -> failing, null, false, true)
            .includeCurrentState(true);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(options))
        .isInstanceOf(javax.cache.event.CacheEntryListenerException.class);
    cache.put(2, 2L);
  }

  // Batches.

  /// Notes batches, and takes each one only when it may.
  private static final class Batches
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

  private static CacheListenerOptions<Integer, Long> batches(Batches listener, int eventsMax) {
    return new CacheListenerOptions<Integer, Long>(() -> listener, null, true, false)
        .coalesce(eventsMax, Duration.ZERO);
  }

  /// Takes batches until so many events were heard.
  private static void awaitHeard(Batches listener, int events) throws InterruptedException {
    int left = events;
    while (left > 0) {
      left -= listener.heard.take().size();
    }
    assertThat(left).as("events too many").isZero();
  }

  /// Waits for what no listener can report.
  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.yield();
    }
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

  // Bounds.

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
    await(CacheListenerTest::isPurgeWaiting);
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

  @Test
  void theReplayWaitsForAListenerThatHearsOneByOne() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    for (int key = 0; key < 3000; key++) {
      cache.put(key, 1L);
    }
    Batches listener = new Batches();
    Thread registrar =
        Thread.ofPlatform()
            .start(() ->
                cache.registerCacheEntryListener(
                    new CacheListenerOptions<Integer, Long>(() -> listener)
                        .includeCurrentState(true)));
    Stop.awaitWaiting(registrar);
    listener.mayHear.release(3000);
    registrar.join();
    awaitHeard(listener, 3000);
  }

  @Test
  void theReplayIsNotDropped() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    for (int key = 0; key < 1000; key++) {
      cache.put(key, 1L);
    }
    Batches listener = new Batches();
    listener.mayHear.release(1000);
    cache.registerCacheEntryListener(
        batches(listener, 100)
            .coalesce(100, Duration.ofHours(1))
            .includeCurrentState(true)
            .waitingKeysMax(10, WhenFull.DROP_OLDEST));
    awaitHeard(listener, 1000);
    assertThat(varve(cache).statistics().droppedEvents()).isZero();
  }

  // What listeners do to each other, and to themselves.

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

  @SuppressWarnings("unchecked") // it is of these
  private static List<Object> listed(Cache<Integer, Long> cache) {
    List<Object> listed = new ArrayList<>();
    CacheOptions<Integer, Long> options = cache.getConfiguration(CacheOptions.class);
    options.getCacheEntryListenerConfigurations().forEach(listed::add);
    return listed;
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
