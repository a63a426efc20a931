package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `varve simulate`, with a child JVM as users run it.
final class SimulateCommandTest {
  @TempDir Path directory;

  private Cli.Result simulate(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "simulate";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return new Cli(directory).run(all);
  }

  @Test
  void historiesWithoutAFaultOfTheStoreAreCounted() {
    Cli.Result result = simulate("--seeds", "1..5", "--steps", "10", "--faults", "power,kill");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("5 histories without a fault of the store in ");
  }

  @Test
  void aTraceShowsASingleHistory() {
    Cli.Result result = simulate("--seeds", "7", "--faults", "none", "--steps", "5", "--trace");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("open [NONE, CLEAN_CLOSE]", "disk [WRITE, pages");
  }

  @Test
  void whatIsNoRangeOrFaultIsAUsageError() {
    for (String[] wrong :
        new String[][] {
          {"--seeds", "2..1"},
          {"--seeds", "x"},
          {"--seeds", "1..2", "--trace"},
          {"--faults", "rain"},
          {"--threads", "0"}
        }) {
      Cli.Result result = simulate(wrong);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).startsWith("varve: ");
    }
  }
}
