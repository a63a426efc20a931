package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commons.time.DefaultTimeService;
import org.infinispan.commons.time.TimeService;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.context.Flag;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.test.TestingUtil;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// EXPIRY-6: the owners of an entry, whose clocks differ, have it expire at one time after a write
/// of several keys: in memory, in their stores, and so after a restart.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class DifferentClocksTest {
  private static final int NODES = 3;
  private static final int KEYS = 24;
  private static final long LIFESPAN = 3_600_000;

  /// Of one node's clock to the next.
  private static final long AHEAD = 90_000;

  private static final class StandingClock extends DefaultTimeService {
    private final long millis;

    StandingClock(long millis) {
      this.millis = millis;
    }

    @Override
    public long wallClockTime() {
      return millis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  private final List<StandingClock> clocks =
      IntStream.range(0, NODES)
          .mapToObj(node -> new StandingClock(System.currentTimeMillis() + node * AHEAD))
          .toList();

  private Nodes start(Path directory, boolean servers) {
    Iterator<StandingClock> guards = clocks.iterator();
    Nodes nodes =
        new Nodes(
                directory,
                configuration ->
                    configuration.clustering().hash().numOwners(2).numSegments(Nodes.SEGMENTS))
            .opening(opened -> {
              // The guard takes the clock that there is now, and others the one that is set below.
              TestingUtil.replaceComponent(
                  opened.getCacheManager(), TimeService.class, guards.next(), /* rewire= */ false);
              ExpiryGuard.add(ComponentRegistry.of(opened), _ -> false);
            });
    if (servers) {
      nodes.asServers();
    }
    for (int node = 0; node < NODES; node++) {
      nodes.add();
      TestingUtil.replaceComponent(nodes.node(node), TimeService.class, clocks.get(node), true);
    }
    nodes.awaitShares();
    return nodes;
  }

  /// Servers send writes to other owners another way.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void entriesThatAreWrittenTogetherExpireAtOneTime(boolean servers, @TempDir Path directory) {
    try (Nodes nodes = start(directory, servers)) {
      for (String value : List.of("first", "second")) { // Entries are made, and replaced.
        Map<String, String> entries = new HashMap<>();
        IntStream.range(0, KEYS).forEach(key -> entries.put("key" + key, value));
        nodes.cache(0).putAll(entries, LIFESPAN, TimeUnit.MILLISECONDS);
        for (String key : entries.keySet()) {
          long expiry = clockOfPrimary(nodes, key).wallClockTime() + LIFESPAN;
          assertThat(expiries(nodes, key)).as(key).hasSize(4).containsOnly(expiry);
        }
      }
    }
  }

  private StandingClock clockOfPrimary(Nodes nodes, String key) {
    return clocks.get(
        IntStream.range(0, NODES)
            .filter(node -> Nodes.owners(nodes.cache(node), key).isPrimary())
            .findFirst()
            .orElseThrow());
  }

  /// When the key expires as each owner has it in memory, and then as it reads it from its store.
  private static List<Long> expiries(Nodes nodes, String key) {
    return IntStream.range(0, NODES)
        .mapToObj(nodes::cache)
        .filter(node -> Nodes.owners(node, key).isWriteOwner())
        .flatMap(owner -> {
          long inMemory = expiry(owner, key);
          owner.evict(key);
          return Stream.of(inMemory, expiry(owner, key));
        })
        .toList();
  }

  private static long expiry(Cache<String, String> owner, String key) {
    AdvancedCache<String, String> here = owner.getAdvancedCache().withFlags(Flag.CACHE_MODE_LOCAL);
    CacheEntry<String, String> entry = here.getCacheEntry(key);
    return entry.getCreated() + entry.getLifespan();
  }
}
