package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Store;
import io.varve.test.KilledStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoresTest {
  private static final List<List<String>> COMMANDS_THAT_READ =
      List.of(
          List.of("get", "s", "k"),
          List.of("scan", "s"),
          List.of("count", "s"),
          List.of("stats"),
          List.of("spaces"),
          List.of("verify"),
          List.of("dump"));

  @TempDir Path directory;

  /// What a file or directory is known by.
  private record Trace(long bytes, int hash, FileTime modified) {}

  private static Map<Path, Trace> traces(Path root) throws IOException {
    Map<Path, Trace> traces = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.isDirectory(file) ? new byte[0] : Files.readAllBytes(file);
        traces.put(
            file, new Trace(bytes.length, Arrays.hashCode(bytes), Files.getLastModifiedTime(file)));
      }
    }
    return traces;
  }

  private static void requireReadUnchanged(Path store) throws IOException {
    Map<Path, Trace> before = traces(store);
    for (List<String> command : COMMANDS_THAT_READ) {
      Cli.Result result = new Cli(store).run(command.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s: %s", command, result.err()).isZero();
      assertThat(traces(store)).as("files after %s", command).isEqualTo(before);
    }
    assertThat(new Cli(store).run("get", "s", "k").out()).isEqualTo("v");
    assertThat(new Cli(store).run("stats", "--disk-max", "8m").out())
        .containsPattern("all files .* of 8");
  }

  @Test
  void commandsThatReadChangeNoFile() throws IOException {
    Path store = directory.resolve("store");
    assertThat(new Cli(store).run("put", "s", "k", "v").exitCode()).isZero();
    requireReadUnchanged(store);
  }

  /// Guards against a look at a store after a crash that changes what there is to look at.
  @Test
  void commandsThatReadLeaveTheLogThatTheyRecover() throws IOException {
    Path running = directory.resolve("running");
    Path killed = directory.resolve("killed");
    try (Store store = Store.open(running)) {
      store.space("s").with(Durability.POWER_LOSS).put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      KilledStore.copy(running, killed);
    }
    requireReadUnchanged(killed);
    assertThat(new Cli(killed).run("put", "s", "k", "later").exitCode()).isZero();
    assertThat(new Cli(killed).run("get", "s", "k").out()).isEqualTo("later");
  }
}
