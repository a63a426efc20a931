package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cli.console.Stdio;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// `varve simulate`, with a child JVM as users run it.
@Tag("slow")
final class SimulateCommandTest {

  private Cli.Result simulate(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "simulate";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Cli.runBare("", all);
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

  private static SimulateCommand command() {
    return new SimulateCommand(new DirectoryStores(new VarveCommand(), Stdio.ofProcess()));
  }

  /// Guards against a replay of another history than the one that failed.
  @Test
  void whatAFailurePrintsRunsTheSameHistoryAgain() {
    SimulateCommand failed = command();
    failed.steps = 7;
    failed.threads = 3;
    String replay = failed.replay(4711, "POWER,DROP");
    SimulateCommand again = command();
    new CommandLine(again).parseArgs(replay.substring("simulate ".length()).split(" "));
    assertThat(again.seeds).isEqualTo("4711");
    assertThat(again.faults).containsExactly("power", "drop");
    assertThat(again.steps).isEqualTo(7);
    assertThat(again.threads).isEqualTo(3);
    assertThat(again.trace).isTrue();
    String[] shown = replay.substring("simulate ".length()).split(" ");
    assertThat(simulate(shown).out()).contains("open [");
  }

  @Test
  void whatIsNoRangeOrFaultIsAUsageError() {
    for (String[] wrong :
        new String[][] {
          {"--seeds", "2..1"},
          {"--seeds", "x"},
          {"--seeds", "1", "--threads", "2000000000"},
          {"--seeds", "1..2", "--trace"},
          {"--faults", "rain"},
          {"--threads", "0"}
        }) {
      Cli.Result result = simulate(wrong);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).startsWith("varve: ");
    }
  }

  /// Guards against a run that reports nothing of what it was asked for.
  @Test
  void optionsOfARealStoreAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"simulate", "--seeds", "1", "--store", "elsewhere"},
          {"--cache", "1m", "simulate", "--seeds", "1"},
          {"simulate", "--seeds", "1", "--log-io", "mapped", "--compress", "lz4"},
          {"demo", "--store", "elsewhere"},
          {"demo", "--key-file", "key"},
        }) {
      Cli.Result result = Cli.runBare("", wrong);
      assertThat(result.exitCode()).as(String.join(" ", wrong)).isEqualTo(2);
      assertThat(result.err()).startsWith("varve: ").contains("takes no --");
    }
    assertThat(Cli.runBare("", "simulate", "--seeds", "1..2", "--steps", "3", "--debug").exitCode())
        .isZero();
  }
}
