package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process that is killed under load loses no entry that its cache has acknowledged, and no part
/// of a batch.
@Tag("slow")
@Timeout(600)
class InfinispanKillTest {
  /// Puts that are under way at the same time.
  private static final int PUTS = 16;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"POWER_LOSS", "PROCESS_CRASH"})
  void acknowledgedEntriesSurviveAKill(Durability durability) throws Exception {
    int acknowledged = 0;
    Path output = directory.resolve("acknowledged");
    for (int kill = 1; kill <= 2; kill++) {
      Process child = start(durability, acknowledged, output);
      while (child.isAlive() && last(output, acknowledged) < 50 * kill) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      child.destroyForcibly().waitFor();
      acknowledged = last(output, acknowledged);
      assertThat(acknowledged).isGreaterThanOrEqualTo(50 * kill);
      try (DefaultCacheManager manager = new DefaultCacheManager()) {
        Cache<String, String> cache = open(manager, directory.resolve("store"), durability);
        for (int round = 1; round <= acknowledged; round++) {
          for (int put = 0; put < PUTS; put++) {
            assertThat(cache.get(round + "-" + put)).isEqualTo("v" + round);
          }
        }
        assertThat(cache.get("first")).isEqualTo(cache.get("second"));
        assertThat(Integer.parseInt(cache.get("first"))).isBetween(acknowledged, acknowledged + 1);
      }
    }
  }

  private Process start(Durability durability, int acknowledged, Path output) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            InfinispanKillTest.class.getName(),
            directory.resolve("store").toString(),
            durability.name(),
            Integer.toString(acknowledged))
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /// The last number that was written whole, in a line that begins as those of the child do: what
  /// Infinispan logs is there, too.
  private static int last(Path output, int least) throws IOException {
    String text = Files.readString(output);
    int last = least;
    for (int at = text.indexOf("in: "); at >= 0; at = text.indexOf("in: ", at + 1)) {
      int end = text.indexOf('\n', at);
      if (end > 0) {
        last = Integer.parseInt(text.substring(at + "in: ".length(), end));
      }
    }
    return last;
  }

  private static Cache<String, String> open(
      DefaultCacheManager manager, Path directory, Durability durability) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.memory().maxCount(10); // so that reads go to the store
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString())
        .durability(durability);
    manager.defineConfiguration("c", configuration.build());
    return manager.getCache("c");
  }

  /// The process that is killed: puts entries, many at a time and two in one batch, and prints how
  /// many rounds of that are in.
  public static void main(String[] arguments) throws Exception {
    DefaultCacheManager manager = new DefaultCacheManager();
    Cache<String, String> cache =
        open(manager, Path.of(arguments[0]), Durability.valueOf(arguments[1]));
    for (int round = Integer.parseInt(arguments[2]) + 1; ; round++) {
      List<CompletableFuture<?>> puts = new ArrayList<>();
      for (int put = 0; put < PUTS; put++) {
        puts.add(cache.putAsync(round + "-" + put, "v" + round));
      }
      String number = Integer.toString(round);
      puts.add(cache.putAllAsync(Map.of("first", number, "second", number)));
      CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
      System.out.write(("in: " + round + "\n").getBytes(StandardCharsets.US_ASCII));
      System.out.flush();
    }
  }
}
