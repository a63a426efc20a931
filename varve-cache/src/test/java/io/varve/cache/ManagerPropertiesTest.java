package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the properties of a manager do to its store.
class ManagerPropertiesTest {
  /// Where the superblock records the size of pages, according to `docs/FORMAT.md`.
  private static final int PAGE_BYTES_AT = 68;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheManager manager(String property, String value) {
    var properties = new Properties();
    properties.setProperty(property, value);
    return provider.getCacheManager(directory.toUri(), null, properties);
  }

  @Test
  void pagesAreAsLargeAsIsSaid() throws Exception {
    try (CacheManager manager = manager(VarveCachingProvider.PAGE_BYTES, "32768")) {
      manager
          .createCache("c", new CacheOptions<String, String>().mode(StorageMode.PAGES))
          .put("k", "v");
    }
    byte[] pages = Files.readAllBytes(directory.resolve("pages"));
    assertThat(ByteBuffer.wrap(pages).order(ByteOrder.LITTLE_ENDIAN).getInt(PAGE_BYTES_AT))
        .isEqualTo(32768);
  }

  @ParameterizedTest
  @CsvSource({
    "varve.pageBytes, 5000, a power of two from 1024 to 32768",
    "varve.pageBytes, large, a power of two from 1024 to 32768",
    "varve.cacheBytes, 12, 1048576 or more",
    "varve.offHeapBytes, 12, 1048576 or more",
    "varve.cacheBytes, all, 1048576 or more",
  })
  void whatMakesNoSenseIsRefused(String property, String value, String allowed) {
    assertThatThrownBy(() -> manager(property, value))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(property + "=" + value)
        .hasMessageContaining(allowed);
  }

  /// A key under such a name was no key: the store was in clear, without a word.
  @ParameterizedTest
  @ValueSource(strings = {"varve.keyfile", "varve.key-file", "varve.cacheBytes "})
  void aNameThatIsMistypedIsRefused(String name) {
    assertThatThrownBy(() -> manager(name, "1048576"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(VarveCachingProvider.KEY_FILE);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void namesOfOthersAreTheirs() {
    assertThatCode(() -> manager("hibernate.javax.cache.uri", "x").close())
        .doesNotThrowAnyException();
  }
}
