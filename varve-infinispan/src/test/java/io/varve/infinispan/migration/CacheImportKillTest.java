package io.varve.infinispan.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An import that is killed leaves the target as it was, and the next one does all of it.
@Tag("slow")
@Timeout(300)
class CacheImportKillTest {
  private static final String NAME = OldStores.NAME;

  @TempDir Path directory;

  private ImportOptions options() {
    return ImportOptions.of(directory.resolve("source"), directory.resolve("target"));
  }

  @ParameterizedTest
  @EnumSource
  void anImportThatWasKilledIsDoneByTheNext(SourceStore kind) throws Exception {
    Map<String, String> content = new HashMap<>();
    ConfigurationBuilder old = OldStores.old(kind, options().source(), 256, true);
    OldStores.use(old, OldStores::fill);
    OldStores.use(old, cache -> content.putAll(OldStores.content(cache)));
    Map<String, String> files = OldStores.files(options().source());
    runUntil("import", "imported");
    assertThat(options().target().resolve(NAME)).doesNotExist();
    assertThat(OldStores.files(options().source())).isEqualTo(files);

    ImportReport report = new CacheImport(options(), (_, _, _) -> {}).run(NAME);
    assertThat(report.entries()).isEqualTo(content.size());
    OldStores.use(
        OldStores.varve(options().target()),
        cache -> assertThat(OldStores.content(cache)).isEqualTo(content));
    assertThat(SourceStore.names(options().target()))
        .containsExactlyInAnyOrder(".varve-import.lock", NAME);
  }

  /// RocksDB's lock is of the process.
  @Test
  void aDatabaseThatAnotherProcessUsesIsRefused() throws Exception {
    Process child = start("hold");
    try {
      await(child, "held");
      assertThatThrownBy(() -> new CacheImport(options(), (_, _, _) -> {}).run(NAME))
          .isInstanceOf(ImportException.class)
          .hasMessageContaining("the store is in use: cache=" + NAME);
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(new CacheImport(options(), (_, _, _) -> {}).run(NAME).entries()).isEqualTo(1);
  }

  private void runUntil(String work, String line) throws Exception {
    Process child = start(work);
    try {
      await(child, line);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private Process start(String work) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CacheImportKillTest.class.getName(),
            work,
            options().source().toString(),
            options().target().toString())
        .redirectErrorStream(true)
        .start();
  }

  private static void await(Process child, String line) throws IOException {
    BufferedReader output = child.inputReader();
    StringBuilder all = new StringBuilder();
    for (String next = output.readLine(); !line.equals(next); next = output.readLine()) {
      assertThat(next).as(all::toString).isNotNull();
      all.append(next).append('\n');
    }
  }

  /// The process that is killed: it waits for that when a part is imported, or a store is open.
  public static void main(String[] arguments) throws Exception {
    ImportOptions options = ImportOptions.of(Path.of(arguments[1]), Path.of(arguments[2]));
    CountDownLatch killed = new CountDownLatch(1);
    if (arguments[0].equals("import")) {
      new CacheImport(options, (_, entries, _) -> sayAndWait("imported", killed)).run(NAME);
    } else {
      Files.createDirectories(options.source());
      OldStores.use(
          OldStores.old(SourceStore.ROCKSDB, options.source(), 256, true),
          cache -> {
            cache.put("a", "1");
            sayAndWait("held", killed);
          });
    }
  }

  private static void sayAndWait(String line, CountDownLatch killed) {
    System.out.println(line);
    System.out.flush();
    try {
      killed.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
