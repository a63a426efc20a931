package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first put of a JVM waits for no class that it does not need. The events of the flight
/// recorder had the JDK read its own metadata of all events, a quarter of the time; formatters of
/// numbers and times, and loggers, took as much as a sixth.
class FirstPutTest {
  /// Opens a store, puts and closes.
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      StoreOptions options = StoreOptions.defaults().cacheBytes(16 << 20);
      try (Store store = Store.open(Path.of(arguments[0]), options)) {
        store.space("s").put(new byte[] {1}, new byte[] {2});
      }
    }
  }

  @Test
  void loadsNoRecorderFormatterOrLogger(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("classes.txt");
    List<String> options = List.of("-Xmx256m", "-Xlog:class+load:file=" + log);
    try (ChildJvm child =
        ChildJvm.start(Map.of(), options, Child.class, directory.resolve("store").toString())) {
      assertThat(child.exitCode()).isZero();
    }
    assertThat(loaded(log, "io.varve.internal.txn.")).isNotEmpty();
    for (String unneeded :
        List.of(
            "jdk.jfr.internal.",
            "java.util.Formatter",
            "java.time.format.DateTimeFormatter",
            "jdk.internal.logger.")) {
      assertThat(loaded(log, unneeded)).isEmpty();
    }
  }

  private static List<String> loaded(Path log, String prefix) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains(" " + prefix)).toList();
  }
}
