package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;
import io.varve.PageRetention;
import io.varve.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/// The options about log and memory that each command takes.
final class ModeOptionsTest {
  @TempDir Path directory;

  private static StoreOptions parse(String... arguments) {
    var root = new VarveCommand();
    var line = new CommandLine(root).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs(arguments);
    return root.options();
  }

  @Test
  void withoutOptionsTheDefaultsHold() {
    StoreOptions options = parse();
    StoreOptions defaults = StoreOptions.defaults();
    assertThat(options.log().io()).isEqualTo(defaults.log().io());
    assertThat(options.log().commitGrouping()).isEqualTo(defaults.log().commitGrouping());
    assertThat(options.log().commitWait()).isEqualTo(defaults.log().commitWait());
    assertThat(options.cache().retention()).isEqualTo(defaults.cache().retention());
    assertThat(options.cache().share()).isEqualTo(defaults.cache().share());
    assertThat(options.cache().offHeapBytes()).isEqualTo(defaults.cache().offHeapBytes());
  }

  @Test
  void eachOptionReachesTheStore() {
    StoreOptions options =
        parse(
            "--log-io=mapped",
            "--commit-grouping=cooperative:50:2",
            "--commit-wait=park",
            "--retention=lru",
            "--cache-share=0.25",
            "--cache-off-heap=64m");
    assertThat(options.log().io()).isEqualTo(LogIo.MAPPED);
    assertThat(options.log().commitGrouping())
        .isEqualTo(new CommitGrouping.Cooperative(50, Duration.ofMillis(2)));
    assertThat(options.log().commitWait()).isEqualTo(CommitWait.PARK);
    assertThat(options.cache().retention()).isEqualTo(PageRetention.LRU);
    assertThat(options.cache().share()).isEqualTo(0.25);
    assertThat(options.cache().offHeapBytes()).isEqualTo(64 << 20);
  }

  @Test
  void groupings() {
    var converter = new CommitGroupingConverter();
    assertThat(converter.convert("adaptive")).isEqualTo(new CommitGrouping.Adaptive());
    assertThat(converter.convert("Each")).isEqualTo(new CommitGrouping.Each());
    assertThat(converter.convert("flusher:3")).isEqualTo(new CommitGrouping.Flusher(3));
    assertThat(converter.convert("cooperative:1:0"))
        .isEqualTo(new CommitGrouping.Cooperative(1, Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "all",
        "flusher",
        "flusher:",
        "flusher:x",
        "flusher:-1",
        "cooperative:5",
        "each:1"
      })
  void whatIsNoGroupingIsRefusedWithThoseThatThereAre(String text) {
    assertThatThrownBy(() -> new CommitGroupingConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("adaptive, each, cooperative:LIMIT:MILLIS, flusher:N");
  }

  @ParameterizedTest
  @ValueSource(strings = {"flusher:0", "flusher:65", "cooperative:0:1", "cooperative:1:1001"})
  void aGroupingOutOfRangeIsRefusedWithTheRange(String text) {
    assertThatThrownBy(() -> new CommitGroupingConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "' is out of range")
        .hasMessageContaining("LIMIT is 1 to 1048576, MILLIS 0 to 1000, N 1 to 64");
  }

  @ParameterizedTest
  @CsvSource({
    "buffered, each, yield, none",
    "mapped, flusher:2, spin, hashed",
    "direct, cooperative:4:1, adaptive, s3_fifo"
  })
  void aStoreIsWrittenInOneModeAndReadInAnother(
      String logIo, String grouping, String wait, String retention) {
    Cli cli = new Cli(directory.resolve("store"));
    Cli.Result put =
        cli.run(
            "put",
            "s",
            "key",
            "value",
            "--log-io",
            logIo,
            "--commit-grouping",
            grouping,
            "--commit-wait",
            wait,
            "--retention",
            retention,
            "--cache-share",
            "0.5");
    // On a busy machine an open takes long enough to be reported.
    assertThat(put.err().lines()).allMatch(line -> line.startsWith("open: "));
    assertThat(put.exitCode()).isZero();
    assertThat(cli.run("get", "s", "key").out()).isEqualToIgnoringNewLines("value");
    assertThat(cli.run("verify", "--log-io", logIo).exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--log-io, none, BUFFERED",
    "--commit-grouping, flusher:99, N 1 to 64",
    "--commit-wait, sleep, ADAPTIVE",
    "--retention, all, s3_fifo",
    "--cache-share, much, --cache-share",
    "--cache-share, 0, cache.share=0",
    "--cache-share, 1.5, max=1",
    "--cache, 1k, cacheBytes=1024",
    "--cache-off-heap, 1k, cache.offHeapBytes=1024"
  })
  void aBadValueIsAUsageErrorOfOneLine(String option, String value, String said) {
    Cli.Result result =
        new Cli(directory.resolve("store")).run("put", "s", "key", "value", option, value);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("varve: ").contains(said);
    assertThat(result.err().lines().count()).isLessThanOrEqualTo(2);
    assertThat(directory.resolve("store")).doesNotExist();
  }

  /// In one command: the help of a command shows its own options, and where the others are.
  @ParameterizedTest
  @ValueSource(strings = {"shell", "load", "stats", "put"})
  void helpShowsThemOnce(String command) {
    String[] options = {
      "--log-io",
      "--commit-grouping",
      "--commit-wait",
      "--retention",
      "--cache-share",
      "--cache-off-heap"
    };
    assertThat(Cli.runBare("", "--help").out()).contains(options);
    assertThat(Cli.runBare("", command, "--help").out())
        .doesNotContain(options)
        .contains("--store", "varve --help");
  }
}
