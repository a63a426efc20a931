package io.varve.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.engine.Batch;
import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.Promise;
import io.varve.cache.StorageMode;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every cache, in every mode it has, does what a map does.
class CachesTest {
  private static final int ENTRIES = 200;

  @TempDir private Path directory;

  static Stream<Arguments> cachesAndModes() {
    return Caches.all().stream()
        .flatMap(type -> type.modes().stream().map(mode -> Arguments.of(type.label(), mode)));
  }

  static Stream<String> caches() {
    return Caches.all().stream().map(CacheType::label);
  }

  @ParameterizedTest
  @MethodSource("cachesAndModes")
  void holdsWhatWasPut(String label, StorageMode mode) {
    CacheType type = Caches.named(label).orElseThrow();
    assertThat(type.describe(mode)).isNotEmpty();
    int hot = mode == StorageMode.HEAP ? ENTRIES : ENTRIES / 10;
    try (ObjectCache cache =
        type.open(new CacheSettings(mode, directory, hot, ENTRIES, 2, 16 << 20))) {
      for (int i = 0; i < ENTRIES; i++) {
        cache.put("k" + i, new byte[] {(byte) i, 0});
        cache.put("k" + i, new byte[] {(byte) i, 1});
      }
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(cache.get("k" + i)).containsExactly(i, 1);
      }
      cache.remove("k0");
      assertThat(cache.get("k0")).isNull();
      assertThat(cache.size()).isEqualTo(ENTRIES - 1);
      assertThat(cache.iterate()).isEqualTo(ENTRIES - 1);
    }
  }

  @ParameterizedTest
  @MethodSource("caches")
  void isAStore(String label) {
    byte[] key = new byte[EngineSettings.KEY_BYTES];
    key[0] = -1;
    EngineSettings settings =
        new EngineSettings(directory, Promise.FAST, 16 << 20, ENTRIES, key.length);
    try (Engine engine = Caches.named(label).orElseThrow().open(settings);
        EngineSession session = engine.session()) {
      Batch batch = new Batch();
      batch.put(key, key);
      session.commit(batch);
      assertThat(session.get(key, (value, length) -> assertThat(value).isEqualTo(key))).isTrue();
      session.delete(key);
      assertThat(session.get(key, (_, _) -> {})).isFalse();
    }
  }
}
