package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.multimap.impl.EmbeddedMultimapSortedSetCache;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// BLOCKED-1: what was taken for a connection that has ended expires when it would have.
@Timeout(60)
class PutBackTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final long LIFESPAN_MILLIS = 3_600_000;

  private DefaultCacheManager caches;
  private AdvancedCache<byte[], Object> cache;
  private EmbeddedMultimapListCache<byte[], byte[]> lists;
  private EmbeddedMultimapSortedSetCache<byte[], byte[]> sets;

  @BeforeEach
  @SuppressWarnings({"unchecked", "rawtypes"}) // as the node makes them
  void start() {
    caches = new DefaultCacheManager(new GlobalConfigurationBuilder().build());
    var definition = new ConfigurationBuilder();
    definition.encoding().key().mediaType(MediaType.APPLICATION_OCTET_STREAM);
    definition.encoding().value().mediaType(MediaType.APPLICATION_OBJECT);
    Cache<byte[], Object> created = caches.createCache("collections", definition.build());
    cache = created.getAdvancedCache();
    lists = new EmbeddedMultimapListCache<>((Cache) created);
    sets = new EmbeddedMultimapSortedSetCache<>((Cache) created);
  }

  @AfterEach
  void stop() throws Exception {
    caches.close();
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /// An entry with a lifespan, from which all is taken.
  private CacheEntry<byte[], Object> expiring(Object value) {
    cache.put(KEY, value, LIFESPAN_MILLIS, TimeUnit.MILLISECONDS);
    CacheEntry<byte[], Object> entry = cache.getCacheEntry(KEY);
    cache.remove(KEY);
    return entry;
  }

  private void assertExpiresAs(CacheEntry<byte[], Object> before) {
    CacheEntry<byte[], Object> after = cache.getCacheEntry(KEY);
    assertThat(after.getLifespan()).isEqualTo(LIFESPAN_MILLIS);
    assertThat(after.getCreated()).isEqualTo(before.getCreated());
  }

  private List<String> list() throws Exception {
    List<String> texts = new ArrayList<>();
    for (byte[] element : await(lists.subList(KEY, 0, -1))) {
      texts.add(new String(element, UTF_8));
    }
    return texts;
  }

  private static List<byte[]> elements(String... texts) {
    return List.of(texts).stream().map(text -> text.getBytes(UTF_8)).toList();
  }

  @Test
  void aListThatHasGoneComesBackWithItsTime() throws Exception {
    for (boolean fromLeft : new boolean[] {true, false}) {
      CacheEntry<byte[], Object> before = expiring(ListBucket.create(elements("a", "b")));
      List<byte[]> taken = fromLeft ? elements("a", "b") : elements("b", "a");
      await(BlockingPop.putBack(cache, lists, new BlockingPop.Taken(KEY, taken, fromLeft, before)));
      assertThat(list()).containsExactly("a", "b");
      assertExpiresAs(before);
    }
  }

  @Test
  void elementsGoBackToAListThatIsThere() throws Exception {
    CacheEntry<byte[], Object> before = expiring(ListBucket.create(elements("a")));
    await(lists.offerLast(KEY, "new".getBytes(UTF_8)));
    var taken = new BlockingPop.Taken(KEY, elements("a"), /* fromLeft= */ true, before);
    await(BlockingPop.putBack(cache, lists, taken));
    assertThat(list()).containsExactly("a", "new");
    assertThat(cache.getCacheEntry(KEY).getLifespan()).isEqualTo(-1);
  }

  @Test
  void aSortedSetThatHasGoneComesBackWithItsTime() throws Exception {
    List<ScoredValue<byte[]>> members = List.of(ScoredValue.of(1, "m".getBytes(UTF_8)));
    CacheEntry<byte[], Object> before = expiring(new SortedSetBucket<byte[]>().replace(members));
    var taken = new BlockingSortedPop.Taken(KEY, members, before);
    await(BlockingSortedPop.putBack(cache, sets, taken));
    assertThat(await(sets.size(KEY))).isEqualTo(1);
    assertExpiresAs(before);
  }
}
