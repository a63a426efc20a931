package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.CacheContainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each layer that sets how caches are stored defines those that the endpoints name: where one is
/// missing, Infinispan would make one that is in memory alone, and report nothing.
class CacheContainersTest {
  @Test
  void eachLayerDefinesTheCachesOfTheEndpoints() throws Exception {
    try (Stream<Path> resources = Files.walk(Path.of("src/main/resources"))) {
      List<Path> layers =
          resources.filter(file -> file.getFileName().toString().startsWith("caches-")).toList();
      assertThat(layers).isNotEmpty();
      for (Path layer : layers) {
        String text = Files.readString(layer);
        for (String cache : List.of(CacheContainer.DEFAULT_CACHE, CacheContainer.MEMCACHED_CACHE)) {
          assertThat(text).as("%s", layer).containsPattern("-cache\\s+name=\"" + cache + "\"");
        }
        assertThat(text)
            .as("%s", layer)
            .containsPattern("-cache-configuration\\s+name=\"" + CacheContainer.TEMPLATE + "\"");
        assertThat(Pattern.compile("<varve-store ").matcher(text).results()).hasSize(3);
      }
    }
  }
}
