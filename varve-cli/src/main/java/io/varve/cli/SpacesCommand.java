package io.varve.cli;

import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.ExitCode;
import io.varve.cli.transfer.JsonLine;
import io.varve.control.SpaceFigures;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "spaces",
    description = "List the spaces of the store.",
    footer =
        """

        Examples:
          varve spaces
          varve spaces --long\
        """)
final class SpacesCommand implements Callable<Integer> {
  private final Stores stores;

  @Option(
      names = {"-l", "--long"},
      description = "With the number of keys and about how many bytes they take, after tabs.")
  boolean withSizes;

  @Option(names = "--json", description = "As JSON Lines.")
  boolean json;

  SpacesCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    return stores.look(
        store -> {
          store.spaceNames().forEach(name -> stores.stdio().println(line(store, name)));
          return ExitCode.OK;
        },
        client -> {
          client.spaces().forEach(space -> stores.stdio().println(line(space)));
          return ExitCode.OK;
        });
  }

  private String line(Store store, String name) {
    if (!withSizes) {
      return json ? JsonLine.of("space", name).text() : name;
    }
    Space space = Stores.requireSpace(store, name);
    return line(
        new SpaceFigures(name, space.count(Range.all()), space.approximateBytes(Range.all())));
  }

  private String line(SpaceFigures space) {
    if (json) {
      var line = JsonLine.of("space", space.name());
      return (withSizes ? line.with("entries", space.entries()).with("bytes", space.bytes()) : line)
          .text();
    }
    return withSizes ? space.name() + "\t" + space.entries() + "\t" + space.bytes() : space.name();
  }
}
