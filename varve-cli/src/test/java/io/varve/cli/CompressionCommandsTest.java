package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `--compress` of commands that write.
final class CompressionCommandsTest {
  @TempDir Path directory;

  private Cli.Result run(String store, String... arguments) throws Exception {
    return new Cli(directory.resolve(store)).run(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deflate", "lz4", "zstd"})
  void whatIsWrittenTakesLessAndIsReadWithoutTheOption(String compression) throws Exception {
    String value = "the same words ".repeat(20_000);
    assertThat(run("plain", "put", "texts", "one", value).exitCode()).isZero();
    assertThat(run("less", "put", "texts", "one", value, "--compress", compression).exitCode())
        .isZero();
    assertThat(run("less", "get", "texts", "one").out()).isEqualToIgnoringNewLines(value);
    assertThat(run("less", "verify").out()).startsWith("sound: 1 space");
    assertThat(Files.size(directory.resolve("less/pages")))
        .isLessThan(Files.size(directory.resolve("plain/pages")) / 2);
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() throws Exception {
    Cli.Result result = run("store", "put", "texts", "one", "1", "--compress", "best");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("varve: ")
        .contains("compression=best", "none, deflate")
        .hasLineCount(1);
  }
}
