package io.varve.cli;

import io.varve.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
    name = "bench",
    description = "Measure this machine, Varve and its peers (from a source tree).",
    footer =
        """

        Example:
          ./varve bench --help\
        """)
final class BenchCommand implements Callable<Integer> {
  private final Stores stores;

  /// Options of the benchmarks, which are not here.
  @Unmatched final List<String> ignored = new ArrayList<>();

  BenchCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    stores
        .stdio()
        .err()
        .println(
            "varve: the benchmarks are a module of their own; ./varve of a source tree runs them");
    return ExitCode.USAGE;
  }
}
