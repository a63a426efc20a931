package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commons.time.DefaultTimeService;
import org.infinispan.commons.time.TimeService;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.container.versioning.NumericVersion;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.MetaParam.MetaLifespan;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.metadata.Metadata;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.test.TestingUtil;
import org.infinispan.util.function.SerializableFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// EXPIRY-1 to EXPIRY-4: an entry expires at one time, in memory, in the store and on each owner.
/// The clock of the nodes does not move unless a test moves it, or has it tick.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExpiryGuardTest {
  private static final int OWNERS = 2;
  private static final long LIFESPAN = 3_600_000;
  private static final long LATER = 7_000;

  private static final class StandingClock extends DefaultTimeService {
    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
    private volatile boolean ticks;

    void advance() {
      millis.addAndGet(LATER);
    }

    /// Has each look at the clock see a later time while something is done.
    void ticking(Runnable work) {
      ticks = true;
      work.run();
      ticks = false;
    }

    @Override
    public long wallClockTime() {
      return ticks ? millis.incrementAndGet() : millis.get();
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(wallClockTime());
    }
  }

  private final StandingClock clock = new StandingClock();
  private Nodes nodes;
  private Cache<String, String> cache;
  private String key;
  private int keys;

  @BeforeAll
  void start(@TempDir Path directory) {
    nodes =
        new Nodes(
                directory,
                configuration ->
                    configuration.clustering().hash().numOwners(OWNERS).numSegments(Nodes.SEGMENTS))
            .asServers()
            .opening(opened -> {
              // The guard takes the clock that there is now, and others the one that is set below.
              TestingUtil.replaceComponent(
                  opened.getCacheManager(), TimeService.class, clock, /* rewire= */ false);
              RetryGuard.add(ComponentRegistry.of(opened)); // a node adds it first
              ExpiryGuard.add(
                  ComponentRegistry.of(opened), function -> function instanceof Keeping);
            });
    for (int node = 0; node < 3; node++) {
      nodes.add();
      TestingUtil.replaceComponent(nodes.node(node), TimeService.class, clock, true);
    }
    nodes.awaitShares();
    cache = nodes.cache(0);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void nextKey() {
    key = "key" + keys++;
  }

  /// A function that is to keep the time at which its entry expires.
  private interface Keeping
      extends SerializableFunction<ReadWriteEntryView<String, String>, Void> {}

  private void change(SerializableFunction<ReadWriteEntryView<String, String>, Void> function)
      throws Exception {
    ReadWriteMap<String, String> map =
        ReadWriteMapImpl.create(FunctionalMapImpl.create(cache.getAdvancedCache()));
    map.eval(key, function).get(60, TimeUnit.SECONDS);
  }

  private void put() {
    cache.put(key, "first", LIFESPAN, TimeUnit.MILLISECONDS);
  }

  /// When the key expires as each owner has it, in memory and in its store.
  private List<Long> expiries() {
    return IntStream.range(0, 3)
        .mapToObj(nodes::cache)
        .filter(this::isOwner)
        .flatMap(owner -> Stream.of(inMemory(owner).getExpiryTime(), inStore(owner)))
        .toList();
  }

  private boolean isOwner(Cache<String, String> node) {
    return Nodes.owners(node, key).isWriteOwner();
  }

  private InternalCacheEntry<?, ?> inMemory(Cache<String, String> owner) {
    AdvancedCache<String, String> advanced = owner.getAdvancedCache();
    return ComponentRegistry.componentOf(owner, InternalDataContainer.class)
        .peek(Nodes.owners(owner, key).segmentId(), advanced.getKeyDataConversion().toStorage(key));
  }

  @SuppressWarnings("unchecked") // the store holds what the cache has it hold
  private long inStore(Cache<String, String> owner) {
    Object stored = owner.getAdvancedCache().getKeyDataConversion().toStorage(key);
    VarveStore<Object, Object> store =
        ComponentRegistry.componentOf(owner, PersistenceManager.class)
            .getStores(VarveStore.class)
            .iterator()
            .next();
    int segment = ComponentRegistry.componentOf(owner, KeyPartitioner.class).getSegment(stored);
    MarshallableEntry<Object, Object> entry =
        store.load(segment, stored).toCompletableFuture().join();
    return Objects.requireNonNull(entry).expiryTime();
  }

  private void assertExpiresAt(long millis) {
    assertThat(expiries()).hasSize(2 * OWNERS).containsOnly(millis);
  }

  @Test
  void aRenewedLifespanBeginsInTheStoreToo() {
    put();
    clock.advance();
    cache.put(key, "second", LIFESPAN, TimeUnit.MILLISECONDS);
    assertExpiresAt(clock.wallClockTime() + LIFESPAN);
    clock.advance();
    cache.replace(key, "second", "third", LIFESPAN, TimeUnit.MILLISECONDS);
    assertExpiresAt(clock.wallClockTime() + LIFESPAN);
    clock.advance();
    cache.putAll(Map.of(key, "fourth"), LIFESPAN, TimeUnit.MILLISECONDS);
    assertExpiresAt(clock.wallClockTime() + LIFESPAN);
  }

  @Test
  void aLifespanBeginsAtOneTimeForMemoryStoreAndOwners() {
    clock.ticking(this::put);
    assertExpiresAtOneTime();
    clock.ticking(this::put);
    assertExpiresAtOneTime();
    clock.ticking(() -> cache.replace(key, "first", "second", LIFESPAN, TimeUnit.MILLISECONDS));
    assertExpiresAtOneTime();
    cache.remove(key);
    clock.ticking(() -> cache.putIfAbsent(key, "third", LIFESPAN, TimeUnit.MILLISECONDS));
    assertExpiresAtOneTime();
  }

  private void assertExpiresAtOneTime() {
    assertThat(expiries()).hasSize(2 * OWNERS);
    assertThat(Set.copyOf(expiries())).hasSize(1);
  }

  @Test
  void anExpectedTimeIsComparedWhenAReplacementIsDone() {
    cache.put(key, "first");
    long expiry = clock.wallClockTime() + LIFESPAN;
    assertThat(replaceIf(expiry)).isFalse();
    assertExpiresAt(-1);
    assertThat(replaceIf(-1)).isTrue();
    assertExpiresAt(expiry);
    assertThat(replaceIf(-1)).isFalse();
    clock.advance();
    assertThat(replaceIf(expiry - 1)).isFalse();
    assertExpiresAt(expiry);
    assertThat(replaceIf(expiry)).isTrue();
    assertExpiresAt(clock.wallClockTime() + LIFESPAN);
    var none = new EmbeddedMetadata.Builder().build();
    assertThat(
            cache
                .getAdvancedCache()
                .replace(
                    key,
                    "first",
                    "first",
                    ExpiryGuard.ifExpiryIs(clock.wallClockTime() + LIFESPAN, none, -1)))
        .isTrue();
    assertExpiresAt(-1);
  }

  /// Has the entry expire a lifespan from now on, if it expires at a time now.
  private boolean replaceIf(long expiryMillis) {
    Metadata lifespan = new EmbeddedMetadata.Builder().lifespan(LIFESPAN).build();
    return cache
        .getAdvancedCache()
        .replace(
            key,
            "first",
            "first",
            ExpiryGuard.ifExpiryIs(expiryMillis, lifespan, clock.wallClockTime()));
  }

  @Test
  void functionsKeepTheTimeHoweverOftenTheyWrite() throws Exception {
    put();
    long expiry = clock.wallClockTime() + LIFESPAN;
    for (int write = 0; write < 5; write++) {
      clock.advance();
      String value = "value" + write;
      change((Keeping) view -> view.set(value));
      assertThat(cache.get(key)).isEqualTo(value);
      assertExpiresAt(expiry);
    }
  }

  @Test
  void aFunctionsOwnLifespanBegins() throws Exception {
    put();
    clock.advance();
    change((Keeping) view -> view.set("second", new MetaLifespan(LIFESPAN)));
    assertExpiresAt(clock.wallClockTime() + LIFESPAN);
  }

  @Test
  void otherFunctionsTakeItAway() throws Exception {
    put();
    clock.advance();
    change(view -> view.set("second"));
    assertExpiresAt(-1);
  }

  @Test
  void replacementsKeepTheTimeThatIsThereWhenTheyAreDone() {
    cache.put(key, "first");
    assertThat(replace("first", "second")).isTrue();
    assertExpiresAt(-1);
    cache.replace(key, "second", "second", LIFESPAN, TimeUnit.MILLISECONDS);
    long expiry = clock.wallClockTime() + LIFESPAN;
    clock.advance();
    assertThat(replace("first", "other")).isFalse();
    assertThat(replace("second", "third")).isTrue();
    clock.advance();
    assertThat(replace("third", "fourth")).isTrue();
    assertExpiresAt(expiry);
    cache.put(key, "fifth");
    assertExpiresAt(-1);
  }

  private boolean replace(String from, String to) {
    return cache.getAdvancedCache().replace(key, from, to, ExpiryGuard.UNCHANGED);
  }

  @Test
  void whatIsNotInMemoryKeepsItToo() throws Exception {
    put();
    long expiry = clock.wallClockTime() + LIFESPAN;
    clock.advance();
    for (int node = 0; node < 3; node++) {
      nodes.cache(node).evict(key);
    }
    change((Keeping) view -> view.set("second"));
    assertExpiresAt(expiry);
  }

  @Test
  void versionsStay() throws Exception {
    var version = new NumericVersion(7);
    cache
        .getAdvancedCache()
        .put(
            key,
            "first",
            new EmbeddedMetadata.Builder().lifespan(LIFESPAN).version(version).build());
    long expiry = clock.wallClockTime() + LIFESPAN;
    clock.advance();
    change((Keeping) view -> view.set("second"));
    assertExpiresAt(expiry);
    assertThat(cache.getAdvancedCache().getCacheEntry(key).getMetadata().version())
        .isEqualTo(version);
  }
}
