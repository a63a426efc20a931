package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The official conformance suite of JCache 1.1.1 in every storage mode, with its annotations on
/// beans of Spring. Each is in a JVM of its own at the same time: the suite spends nearly all of
/// its time waiting for entries to expire.
@Tag("slow")
class TckTest {
  /// What the suite has, less its one test that always fails and is excluded by its own list.
  private static final int TESTS = 493;

  @TempDir Path directory;

  @Test
  void everyStorageModePasses() throws Exception {
    Map<StorageMode, Process> running = new EnumMap<>(StorageMode.class);
    try {
      for (StorageMode mode : StorageMode.values()) {
        running.put(mode, start(mode));
      }
      for (var each : running.entrySet()) {
        int exitCode = each.getValue().waitFor();
        String output = Files.readString(output(each.getKey()));
        assertThat(output)
            .as("%s", each.getKey())
            .doesNotContain(System.lineSeparator() + TckMain.FAILED)
            .contains(TckMain.SUCCEEDED + TESTS)
            .containsPattern(TckMain.BEANS + "[1-9]");
        assertThat(exitCode).isZero();
      }
    } finally {
      running.values().forEach(Process::destroyForcibly);
    }
  }

  private Path output(StorageMode mode) {
    return directory.resolve(mode + ".txt");
  }

  private Process start(StorageMode mode) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Most of the time goes into the start of the JVM and what is called a few times.
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dio.varve.cache.mode=" + mode);
    command.add("-Djavax.cache.CacheManager=javax.cache.CacheManager");
    command.add("-Djavax.cache.Cache=javax.cache.Cache");
    command.add("-Djavax.cache.Cache.Entry=javax.cache.Cache$Entry");
    // Its loader and writer talk to a server of its own.
    command.add("-Dorg.jsr107.tck.support.server.networkinterface=lo");
    command.add("-Dorg.jsr107.tck.support.server.port=0");
    if (mode == StorageMode.TIERED) {
      command.add("-Dio.varve.cache.directory=" + directory.resolve("store" + File.separator));
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(TckMain.class.getName());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(output(mode).toFile()))
        .start();
  }
}
