package io.varve.cli;

import io.varve.Store;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Progress;
import io.varve.cli.transfer.JsonLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "compact",
    description = "Give the free space of the page file back to the file system.",
    footer =
        """

        Example:
          varve compact\
        """)
final class CompactCommand implements Callable<Integer> {
  private final Stores stores;

  @Mixin final ResultOptions result = new ResultOptions();

  CompactCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    return stores.use(this::compact);
  }

  private int compact(Store store) {
    long freed;
    try (var _ = Progress.start(stores.stdio(), "compact")) {
      freed = store.compact();
    }
    long pageFileBytes = store.statistics().disk().pageFileBytes();
    result.print(
        stores.stdio(),
        "returned " + Figures.bytes(freed) + "; the page file has " + Figures.bytes(pageFileBytes),
        JsonLine.of("returnedBytes", freed).with("pageFileBytes", pageFileBytes));
    return ExitCode.OK;
  }
}
