package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.server.resp.RespUtil;
import org.infinispan.server.resp.exception.RespCommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MovingTest {
  private static final byte[] FROM = "from".getBytes(UTF_8);
  private static final byte[] TO = "to".getBytes(UTF_8);
  private static final byte[] ELEMENT = "element".getBytes(UTF_8);

  /// MOVE-4: a client that waited was given nothing, and those after it neither, as if the list
  /// that has the element were of another type.
  @Test
  void aKeyThatBecomesOneOfAnotherTypeIsAnsweredAndLosesNothing() throws Exception {
    try (var caches = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      var definition = new ConfigurationBuilder();
      definition.encoding().key().mediaType(MediaType.APPLICATION_OCTET_STREAM);
      definition.encoding().value().mediaType(MediaType.APPLICATION_OBJECT);
      Cache<byte[], Object> cache = caches.createCache("lists", definition.build());
      EmbeddedMultimapListCache<byte[], byte[]> lists = lists(cache);
      lists.offerLast(FROM, ELEMENT).toCompletableFuture().get(30, TimeUnit.SECONDS);
      var moved =
          Moving.move(
                  new Moving.End(lists, FROM, true),
                  new Moving.End(lists, TO, true),
                  _ -> cache.putAsync(TO, "a text".getBytes(UTF_8)))
              .toCompletableFuture();
      assertThatThrownBy(() -> moved.get(30, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RespCommandException.class)
          .hasMessageContaining("WRONGTYPE")
          .satisfies(failure -> assertThat(RespUtil.isWrongTypeError(failure)).isFalse());
      assertThat(lists.index(FROM, 0).toCompletableFuture().get(30, TimeUnit.SECONDS))
          .isEqualTo(ELEMENT);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // as the node makes them
  private static EmbeddedMultimapListCache<byte[], byte[]> lists(Cache<byte[], Object> cache) {
    return new EmbeddedMultimapListCache<>((Cache) cache);
  }
}
