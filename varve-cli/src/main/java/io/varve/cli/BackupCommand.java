package io.varve.cli;

import io.varve.Store;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.transfer.JsonLine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "backup",
    description = "Copy the store to a directory of backups, or to one file.",
    footer =
        """

        A directory keeps a point for each backup: the first holds everything, each later one what
        changed since the one before. A TARGET that ends in .vbk is one file that holds everything.
        A backup that breaks off leaves nothing that could be restored.

        Examples:
          varve backup /backups/shop
          varve backup /backups/shop --full --prune 14
          varve backup /mnt/usb/shop-$(date +%%F).vbk\
        """)
final class BackupCommand implements Callable<Integer> {
  private final Stores stores;

  @Parameters(index = "0", paramLabel = "TARGET", description = "A directory, or a file .vbk.")
  Path target = Path.of("");

  @Option(names = "--full", description = "Copy everything, also if TARGET has a point before.")
  boolean full;

  @Option(
      names = "--prune",
      paramLabel = "COUNT",
      description = "Then delete all points but the newest COUNT and what they continue from.")
  @Nullable Integer prune;

  @Mixin final ResultOptions result = new ResultOptions();

  BackupCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (prune != null && prune < 1) {
      throw CommandException.usage("--prune must be 1 or more: " + prune);
    }
    return stores.use(this::backup);
  }

  private int backup(Store store) {
    var done = new BytesDone();
    BackupPoint point;
    try (var _ = done.show(stores.stdio(), "backup", -1)) {
      point = Backups.at(target).take(store, BackupOptions.defaults().full(full).listener(done));
    }
    result.print(
        stores.stdio(),
        "point "
            + point.number()
            + (point.isFull() ? ", full" : ", what changed since point " + point.base())
            + ": "
            + Figures.bytes(point.bytes())
            + " in "
            + point.file(),
        RestoreCommand.json(point));
    if (prune != null) {
      report(Backups.at(target).prune(prune));
    }
    return ExitCode.OK;
  }

  private void report(List<BackupPoint> deleted) {
    long bytes = deleted.stream().mapToLong(BackupPoint::bytes).sum();
    result.print(
        stores.stdio(),
        "deleted " + Figures.count(deleted.size(), "point") + ", " + Figures.bytes(bytes),
        JsonLine.of("deletedPoints", deleted.size()).with("bytes", bytes));
  }
}
