package io.varve.cli;

import io.varve.Store;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Progress;
import io.varve.cli.transfer.JsonLine;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "checkpoint",
    description = "Write all that was committed to the page file, so that the next open is quick.",
    footer =
        """

        Example:
          varve checkpoint\
        """)
final class CheckpointCommand implements Callable<Integer> {
  private final Stores stores;

  @Mixin final ResultOptions result = new ResultOptions();

  CheckpointCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    return stores.use(this::checkpoint);
  }

  private int checkpoint(Store store) {
    long startNanos = System.nanoTime();
    try (var _ = Progress.start(stores.stdio(), "checkpoint")) {
      store.checkpoint();
    }
    Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
    result.print(
        stores.stdio(),
        "checkpoint written in " + Figures.time(time),
        JsonLine.of("nanos", time.toNanos()));
    return ExitCode.OK;
  }
}
