package io.varve.cli;

import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Stdio;
import io.varve.cli.live.TopTerminal;
import io.varve.cli.live.Watcher;
import io.varve.control.ControlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    description = "Show what a store does that another process has open, until q.",
    footer =
        """

        The process needs a control socket; 'shell', 'load', 'demo' and 'serve' have one.
        Where the output is no terminal, as with --json, it is a line for each interval.

        Examples:
          varve top
          varve top --interval 5 | tee figures.txt
          varve top --json --times 60 > figures.jsonl\
        """)
final class TopCommand implements Callable<Integer> {
  private final Stores stores;

  @Mixin final WatchOptions watch = new WatchOptions();

  @Option(names = "--json", description = "All figures, as JSON Lines.")
  boolean json;

  TopCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    watch.check();
    return stores.look(
        _ -> {
          throw CommandException.store(
              "no other process has the store open, so nothing happens in it; 'varve stats' prints"
                  + " its figures");
        },
        this::show);
  }

  private int show(ControlClient client) {
    Stdio stdio = stores.stdio();
    if (json || watch.isCounted() || !stdio.inIsTerminal() || !stdio.outIsTerminal()) {
      new Watcher(() -> client.statistics().statistics(), stdio, json)
          .print(watch.interval(), watch.times);
      return ExitCode.OK;
    }
    try {
      new TopTerminal(client::statistics, client.directory(), Stdio.isStyled())
          .run(watch.interval());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCode.OK;
  }
}
