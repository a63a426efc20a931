package io.varve.infinispan.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Caches in Infinispan's own stores, of this very version, go over to Varve with all they have.
@Tag("slow")
@Timeout(300)
class CacheImportTest {
  private static final String NAME = OldStores.NAME;

  @TempDir Path directory;

  private Path source() {
    return directory.resolve("source");
  }

  private Path target() {
    return directory.resolve("target");
  }

  private ImportOptions options() {
    return ImportOptions.of(source(), target());
  }

  private static ImportReport run(ImportOptions options) {
    return new CacheImport(options, (_, _, _) -> {}).run(NAME);
  }

  static Stream<Arguments> stores() {
    return Stream.of(SourceStore.values())
        .flatMap(kind ->
            Stream.of(
                Arguments.of(kind, 256, true),
                Arguments.of(kind, 1, true),
                Arguments.of(kind, 256, false)));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void theCacheStartsWithAllEntries(SourceStore kind, int segments, boolean segmented)
      throws Exception {
    Map<String, String> content = new HashMap<>();
    ConfigurationBuilder old = OldStores.old(kind, source(), segments, segmented);
    OldStores.use(
        old,
        cache -> {
          OldStores.fill(cache);
          cache.put("gone", "v", 1, TimeUnit.MILLISECONDS);
        });
    OldStores.use(old, cache -> content.putAll(OldStores.content(cache)));
    Map<String, String> files = OldStores.files(source());

    List<Long> heard = new ArrayList<>();
    ImportReport report =
        new CacheImport(options(), (_, entries, _) -> heard.add(entries)).run(NAME);

    assertThat(OldStores.files(source())).isEqualTo(files);
    assertThat(report.entries()).isEqualTo(content.size());
    assertThat(report.source()).isEqualTo(kind.label());
    assertThat(report.skippedCount()).isZero();
    assertThat(report.valueBytes()).isGreaterThan(3 << 20);
    assertThat(heard).isSorted().endsWith((long) content.size());
    assertThat(SourceStore.names(target())).containsExactlyInAnyOrder(".varve-import.lock", NAME);
    OldStores.use(
        OldStores.varve(target()),
        cache -> {
          assertThat(OldStores.content(cache)).isEqualTo(content).hasSizeGreaterThan(2_000);
          assertThat(cache.get("mortal")).isEqualTo("v");
          assertThat(cache.get("gone")).isNull();
          cache.put("mortal", "replaced");
          assertThat(cache.size()).isEqualTo(content.size());
        });
  }

  @ParameterizedTest
  @EnumSource
  void entriesInTheTargetGoOnlyWhenThatIsSaid(SourceStore kind) throws Exception {
    OldStores.use(OldStores.old(kind, source(), 256, true), cache -> cache.put("a", "old"));
    OldStores.use(OldStores.varve(target()), cache -> {}); // a start without entries is no obstacle
    assertThat(run(options()).entries()).isEqualTo(1);
    OldStores.use(
        OldStores.varve(target()),
        cache -> {
          cache.put("b", "new");
          assertThatThrownBy(() -> run(options().replace(true)))
              .isInstanceOf(ImportException.class)
              .hasMessageContaining("the target cannot be opened: cache=" + NAME);
        });
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("the target holds entries: cache=" + NAME)
        .hasMessageContaining("entries=2");
    OldStores.use(OldStores.varve(target()), cache -> assertThat(cache).hasSize(2));
    assertThat(run(options().replace(true)).entries()).isEqualTo(1);
    OldStores.use(
        OldStores.varve(target()),
        cache ->
            assertThat(OldStores.content(cache))
                .hasSize(1)
                .containsKey("class java.lang.String a"));
  }

  /// The next import removed what the target had held, though it was to replace nothing.
  @Test
  void whatAKilledImportWasAboutToReplaceIsThereAgain() throws Exception {
    OldStores.use(
        OldStores.old(SourceStore.SINGLE_FILE, source(), 256, true),
        cache -> cache.put("a", "old"));
    run(options());
    OldStores.use(OldStores.varve(target()), cache -> cache.put("b", "new"));
    Path store = target().resolve(NAME).resolve("varve");
    Path replaced = target().resolve(".varve-import-" + NAME).resolve("replaced");
    Files.createDirectories(replaced.getParent());
    Files.move(store, replaced); // as it is between the two renames of an import
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("the target holds entries: cache=" + NAME)
        .hasMessageContaining("entries=2");
    OldStores.use(OldStores.varve(target()), cache -> assertThat(cache).hasSize(2));
  }

  @Test
  void whatIsNoStoreIsRefused() throws Exception {
    assertThatThrownBy(() -> new CacheImport(options(), (_, _, _) -> {}).caches())
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("no such directory");
    Files.createDirectories(source().resolve(NAME).resolve("data"));
    Files.writeString(source().resolve(NAME).resolve("data").resolve("notes.txt"), "none");
    assertThatThrownBy(() -> new CacheImport(options(), (_, _, _) -> {}).caches())
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("no store of Infinispan found: directory=" + source());
    Files.write(source().resolve("other.dat"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("no store of this cache found: cache=" + NAME)
        .hasMessageContaining("found=other");
    Files.write(source().resolve(NAME + ".dat"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("Infinispan cannot open the store: cache=" + NAME);
    assertThat(target().resolve(NAME)).doesNotExist();
  }

  /// Files of Infinispan 10, which no later one than 11 reads.
  @Test
  void aStoreThatIsTooOldIsRefused() throws Exception {
    Path data = Files.createDirectories(source().resolve(NAME).resolve("data"));
    Files.write(data.resolve("0"), new byte[100]);
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("kind=SoftIndexFileStore")
        .hasMessageContaining("< 11");
    Files.write(source().resolve(NAME + ".dat"), "FCS1".getBytes());
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("more than one store of this cache");
    Files.delete(data.resolve("0"));
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("kind=SingleFileStore")
        .hasMessageContaining("< 11");
  }

  @Test
  void aStoreInUseIsRefused() throws Exception {
    OldStores.use(
        OldStores.old(SourceStore.SOFT_INDEX, source(), 256, true),
        cache -> {
          cache.put("a", "1");
          Map<String, String> before = files();
          assertThatThrownBy(() -> run(options()))
              .isInstanceOf(ImportException.class)
              .hasMessageContaining("the store is in use: cache=" + NAME);
          assertThat(files()).isEqualTo(before);
        });
    assertThat(run(options()).entries()).isEqualTo(1);
  }

  private Map<String, String> files() {
    try {
      return OldStores.files(source());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// A kill in the middle of a write leaves a file that ends within an entry.
  @Test
  void whatAKillTorIsAnErrorUnlessItIsToBeSkipped() throws Exception {
    long[] count = new long[1];
    OldStores.use(
        OldStores.old(SourceStore.SOFT_INDEX, source(), 256, true),
        cache -> {
          OldStores.fill(cache);
          cache.put("torn", "v".repeat(100));
          count[0] = cache.size();
        });
    Path file = largest("ispn12.0");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
    requireSkipping("the source cannot be read: cache=" + NAME, count[0] - 1, 1);
  }

  /// Infinispan takes a block whose checksum is wrong for the end of its segment.
  @Test
  void aDamagedBlockIsAnErrorUnlessItIsToBeSkipped() throws Exception {
    ConfigurationBuilder old = OldStores.old(SourceStore.ROCKSDB, source(), 1, true);
    long[] count = new long[1];
    OldStores.use(old, OldStores::fill);
    OldStores.use(old, cache -> count[0] = cache.size()); // tables are written of the log
    Path file = largest(".sst");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 3] ^= 0x55;
    Files.write(file, bytes);
    requireSkipping("RocksDB finds the store damaged: found=", count[0], 1);
  }

  private Path largest(String name) throws IOException {
    try (Stream<Path> all = Files.walk(source())) {
      return all.filter(path -> path.toString().endsWith(name))
          .max(Comparator.comparing(path -> path.toFile().length()))
          .orElseThrow();
    }
  }

  private void requireSkipping(String message, long entriesMax, int skipped) throws Exception {
    Map<String, String> files = OldStores.files(source());
    assertThatThrownBy(() -> run(options()))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining(message);
    assertThat(target().resolve(NAME)).doesNotExist();
    ImportReport report = run(options().skipDamaged(true));
    assertThat(report.skippedCount()).isEqualTo(skipped);
    assertThat(report.skipped()).hasSize(skipped);
    assertThat(report.entries()).isBetween(1L, entriesMax);
    assertThat(OldStores.files(source())).isEqualTo(files);
    OldStores.use(
        OldStores.varve(target()),
        cache -> assertThat(cache.keySet()).hasSize(Math.toIntExact(report.entries())));
  }
}
