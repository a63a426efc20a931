package io.varve.cli;

import io.varve.Space;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Progress;
import io.varve.cli.transfer.JsonLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "count",
    description = "Print the number of keys in a space, or in a range of it.",
    footer =
        """

        Examples:
          varve count users
          varve count log --prefix 2025-06-\
        """)
final class CountCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the space.")
  String space = "";

  @Mixin final RangeOptions range = new RangeOptions();

  @Mixin final ResultOptions result = new ResultOptions();

  CountCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    long count =
        stores.look(
            store -> count(Stores.requireSpace(store, space)),
            client -> client.count(space, range.range()));
    result.print(
        stores.stdio(), Long.toString(count), JsonLine.of("space", space).with("count", count));
    return ExitCode.OK;
  }

  private long count(Space found) {
    try (var _ = Progress.start(stores.stdio(), "count")) {
      return found.count(range.range());
    }
  }
}
