package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process that is killed loses no entry whose put has returned.
@Timeout(240)
class CacheKillTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"TIERED", "PAGES"})
  void acknowledgedEntriesSurviveAKill(StorageMode mode) throws Exception {
    int acknowledged = 0;
    Path output = directory.resolve("acknowledged");
    for (int kill = 1; kill <= 3; kill++) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  CacheKillTest.class.getName(),
                  directory.resolve("store").toString(),
                  mode.name(),
                  Integer.toString(acknowledged))
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      while (child.isAlive() && last(output, acknowledged) < 1000 * kill) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      child.destroyForcibly().waitFor();
      acknowledged = last(output, acknowledged);
      assertThat(acknowledged).isGreaterThanOrEqualTo(1000 * kill);
      try (VarveCachingProvider provider = new VarveCachingProvider()) {
        Cache<Integer, String> cache = open(provider, directory.resolve("store"), mode);
        for (int i = 1; i <= acknowledged; i++) {
          assertThat(cache.get(i)).isEqualTo("v" + i);
        }
        assertThat(cache.unwrap(VarveCache.class).size())
            .isBetween((long) acknowledged, acknowledged + 1L);
      }
    }
  }

  /// The last number that was written whole.
  private static int last(Path output, int least) throws IOException {
    String text = Files.readString(output);
    int end = text.lastIndexOf('\n');
    return end < 0
        ? least
        : Integer.parseInt(text.substring(text.lastIndexOf('\n', end - 1) + 1, end));
  }

  private static Cache<Integer, String> open(
      VarveCachingProvider provider, Path directory, StorageMode mode) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    options.mode(mode).durability(Durability.PROCESS_CRASH);
    return provider.getCacheManager(null, null, properties).createCache("c", options);
  }

  /// The process that is killed: puts entries and prints how many are in.
  public static void main(String[] arguments) throws IOException {
    VarveCachingProvider provider = new VarveCachingProvider();
    Cache<Integer, String> cache =
        open(provider, Path.of(arguments[0]), StorageMode.valueOf(arguments[1]));
    for (int i = Integer.parseInt(arguments[2]) + 1; ; i++) {
      cache.put(i, "v" + i);
      System.out.write((i + "\n").getBytes(StandardCharsets.US_ASCII));
      System.out.flush();
    }
  }
}
