package io.varve.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.junit.jupiter.api.Test;

/// The metadata for native images names what the caches reach by reflection: the provider, which
/// JCache makes by its name, and the view of a cache that drops failures, which is a proxy.
class CacheNativeImageTest {
  private static final String METADATA =
      "/META-INF/native-image/io.varve/varve-cache/reachability-metadata.json";

  private static String metadata() throws IOException {
    try (InputStream content = VarveCache.class.getResourceAsStream(METADATA)) {
      return new String(Objects.requireNonNull(content, METADATA).readAllBytes(), UTF_8);
    }
  }

  @Test
  void theProviderIsNamed() throws IOException {
    String name = VarveCachingProvider.class.getName();
    try (CachingProvider provider = Caching.getCachingProvider(name)) {
      assertThat(provider).isInstanceOf(VarveCachingProvider.class);
    }
    assertThat(metadata())
        .contains("\"type\": \"" + name + "\", \"methods\": [{ \"name\": \"<init>\"");
  }

  @Test
  void theProxyIsNamed() throws Exception {
    try (var provider = new VarveCachingProvider()) {
      VarveCache<?, ?> cache =
          provider
              .getCacheManager()
              .createCache("views", new MutableConfiguration<>())
              .unwrap(VarveCache.class);
      Class<?> silent = cache.with(Flag.FAIL_SILENTLY).getClass();
      assertThat(Proxy.isProxyClass(silent)).isTrue();
      List<String> interfaces = Arrays.stream(silent.getInterfaces()).map(Class::getName).toList();
      assertThat(metadata())
          .contains("{ \"proxy\": [\"" + String.join("\", \"", interfaces) + "\"] }")
          .contains("\"" + interfaces.getFirst() + "\", \"allPublicMethods\": true");
    }
  }
}
