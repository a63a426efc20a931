package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.StoreUnavailableException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A disk that fails a write. The files are real: the system refuses each write of a process whose
/// files may not grow, which is a process of its own for that reason. A failed force of the log
/// takes the same way.
@Timeout(240)
@EnabledOnOs(value = OS.LINUX, disabledReason = "limits of files are set by prlimit")
class FailedDiskTest {
  @TempDir Path directory;

  @BeforeAll
  static void thereIsALimitToSet() {
    assertThat(Path.of("/usr/bin/prlimit")).as("sets limits; of util-linux").isExecutable();
  }

  @ParameterizedTest
  @EnumSource(names = {"POWER_LOSS", "BACKGROUND"})
  void aFailedWriteMakesTheStoreUnavailableUntilItIsStartedAgain(Durability durability)
      throws Exception {
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                FailedDiskTest.class.getName(),
                directory.resolve("store").toString(),
                durability.name())
            .redirectErrorStream(true)
            .start();
    // By a pipe, since the limit is for what the process logs as well.
    Files.copy(child.getInputStream(), output);
    assertThat(child.waitFor()).as(() -> read(output)).isZero();
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Cache<String, String> open(
      DefaultCacheManager manager, Path directory, Durability durability) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.memory().maxCount(1); // so that reads go to the store
    configuration
        .persistence()
        .availabilityInterval(20)
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString())
        .durability(durability);
    manager.defineConfiguration("c", configuration.build());
    return manager.getCache("c");
  }

  /// The process whose disk fails.
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Durability durability = Durability.valueOf(arguments[1]);
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      Cache<String, String> cache = open(manager, directory, durability);
      cache.put("before", "1");
      cache.put("other", "1");
      VarveStore<?, ?> store = store(cache);
      assertThat(store.isAvailable().toCompletableFuture().join()).isTrue();

      limitFiles("0");
      assertThatThrownBy(() -> putUntilRefused(cache))
          .hasStackTraceContaining(StoreFailedException.class.getName());
      awaitUnavailable(cache);
      assertThat(store.isAvailable().toCompletableFuture().join()).isFalse();
      assertThatThrownBy(() -> cache.put("during", "1"))
          .isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(() -> cache.get("before")).isInstanceOf(StoreUnavailableException.class);

      limitFiles("unlimited");
      assertThatThrownBy(() -> cache.put("during", "1"))
          .isInstanceOf(StoreUnavailableException.class);
    }
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      Cache<String, String> cache = open(manager, directory, durability);
      if (durability == Durability.POWER_LOSS) {
        assertThat(cache.get("before")).isEqualTo("1");
      }
      assertThat(cache.get("during")).isNull();
      cache.put("after", "1");
      cache.put("other", "2");
      assertThat(cache.get("after")).isEqualTo("1");
      assertThat(store(cache).isAvailable().toCompletableFuture().join()).isTrue();
    }
  }

  private static VarveStore<?, ?> store(Cache<?, ?> cache) {
    return ComponentRegistry.componentOf(cache, PersistenceManager.class)
        .getStores(VarveStore.class)
        .iterator()
        .next();
  }

  /// A write that no thread waits for is refused when the log has failed, which is soon.
  private static void putUntilRefused(Cache<String, String> cache) {
    for (int i = 0; ; i++) {
      cache.put("refused-" + i, "1");
    }
  }

  private static void awaitUnavailable(Cache<?, ?> cache) throws InterruptedException {
    PersistenceManager persistence = ComponentRegistry.componentOf(cache, PersistenceManager.class);
    while (persistence.isAvailable()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void limitFiles(String bytes) throws IOException, InterruptedException {
    Process prlimit =
        new ProcessBuilder(
                "/usr/bin/prlimit",
                "--pid",
                Long.toString(ProcessHandle.current().pid()),
                "--fsize=" + bytes + ":unlimited")
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor()).isZero();
  }
}
