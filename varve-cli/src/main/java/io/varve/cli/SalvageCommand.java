package io.varve.cli;

import io.varve.KeySource;
import io.varve.admin.Salvage;
import io.varve.admin.SalvageReport;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.transfer.JsonLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "salvage",
    description = "Make a new store of all that is intact in a damaged one.",
    footer =
        """

        The damaged store is read and not changed. Where what leads to a page is lost, the page is
        found by search and the newest version of each key is taken; deleted keys may come back
        then. Exit code 0 if nothing was lost, 1 if something was: then each loss is a line.

        Example:
          varve salvage shop shop-salvaged && varve verify --store shop-salvaged\
        """)
final class SalvageCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the damaged store.")
  Path damaged = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "Directory of the new store, missing or empty.")
  Path out = Path.of("");

  @Mixin final ResultOptions result = new ResultOptions();

  SalvageCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    var done = new BytesDone();
    KeySource key = stores.key();
    SalvageReport report;
    try (var _ = done.show(stores.stdio(), "salvage", -1)) {
      Salvage salvage = Salvage.of(damaged);
      report = (key == null ? salvage : salvage.encryption(key)).into(out, done);
    }
    if (!result.json) {
      report.losses().forEach(loss -> stores.stdio().println(loss.toString()));
    }
    result.print(stores.stdio(), sentence(report), json(report));
    return report.isComplete() ? ExitCode.OK : ExitCode.NEGATIVE;
  }

  private static String sentence(SalvageReport report) {
    return (report.isComplete()
            ? "nothing lost"
            : "LOST: "
                + Figures.count(report.lossCount(), "part")
                + (report.lossCount() > report.losses().size() ? ", the first above" : ""))
        + ": took "
        + Figures.count(report.spaces(), "space")
        + ", "
        + Figures.count(report.pageEntries())
        + " entries of pages ("
        + Figures.count(report.foundEntries())
        + " found by search), "
        + Figures.count(report.commits(), "commit")
        + " of the log";
  }

  private static JsonLine json(SalvageReport report) {
    return JsonLine.of("complete", report.isComplete())
        .with("losses", report.losses().stream().map(Object::toString).toList())
        .with("lossCount", report.lossCount())
        .with("spaces", report.spaces())
        .with("pageEntries", report.pageEntries())
        .with("foundEntries", report.foundEntries())
        .with("commits", report.commits());
  }
}
