package io.varve.cli;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.KeySource;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Shutdown;
import io.varve.cli.transfer.JsonLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description = "Make a store of a backup, in an empty directory.",
    footer =
        """

        STATE is the number of a point, lsn: and the LSN of a commit, or a time like
        2026-11-21T14:03:00 (here) or 2026-11-21T14:03:00Z; default is the newest point. lsn:N gives
        the latest state that excludes commits after N; a time, the latest state known to exclude
        commits after it, to about a second. Both need an archived log between points: see
        --archive-log. Without one, a time gives the newest point before it, and a commit after its
        point is refused. Every byte is checked. Exit code 1 if the backup is damaged: then no store
        is made.

        Examples:
          varve restore /backups/shop --list
          varve restore /backups/shop shop-again
          varve restore /backups/shop shop-before --to 2026-11-21T14:03:00
          varve restore shop-monday.vbk shop-again\
        """)
final class RestoreCommand implements Callable<Integer> {
  private static final String COMMIT = "lsn:";
  private static final String PAGE_FILE = "pages"; // docs/FORMAT.md

  private final Stores stores;

  @Parameters(index = "0", paramLabel = "SOURCE", description = "A directory, or a file .vbk.")
  Path source = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TARGET",
      description = "Directory of the new store, missing or empty.")
  @Nullable Path target;

  @Option(names = "--list", description = "List the points instead.")
  boolean list;

  @Option(names = "--to", paramLabel = "STATE", description = "What to restore.")
  @Nullable String state;

  @Mixin final ResultOptions result = new ResultOptions();

  RestoreCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    Backups backups = Backups.at(source);
    KeySource key = stores.key();
    if (key != null) {
      backups = backups.encryption(key);
    }
    if (list) {
      return list(backups.points());
    }
    Path directory = target;
    if (directory == null) {
      throw CommandException.usage("name the directory of the new store, or give --list");
    }
    try {
      return restore(backups, directory, state == null ? RestoreTo.newest() : parse(state));
    } catch (CorruptStoreException e) {
      throw CommandException.failedCheck(String.valueOf(e.getMessage()), e);
    }
  }

  private int list(List<BackupPoint> points) {
    if (!result.json) {
      stores.stdio().println("point  base  taken                     LSN               size");
    }
    for (BackupPoint point : points) {
      result.print(
          stores.stdio(),
          String.format(
              "%5d  %4s  %-24s  %-16d  %s",
              point.number(),
              point.isFull() ? "full" : point.base(),
              point.time(),
              point.lastCommit().lsn(),
              Figures.bytes(point.bytes())),
          json(point));
    }
    return points.isEmpty() ? ExitCode.NEGATIVE : ExitCode.OK;
  }

  private int restore(Backups backups, Path directory, RestoreTo wanted) {
    var done = new BytesDone();
    Restored restored;
    try (Shutdown.Hook _ = Shutdown.onSignal(() -> reportInterrupt(directory));
        var _ = done.show(stores.stdio(), "restore", -1)) {
      restored = backups.restore(directory, wanted, done);
    }
    BackupPoint point = restored.point();
    Commit last = restored.lastCommit();
    result.print(
        stores.stdio(),
        "restored point "
            + point.number()
            + ", taken "
            + point.time()
            + (last.isAfter(point.lastCommit()) ? ", and the log after it" : "")
            + (last.equals(point.lastCommit()) && wanted instanceof RestoreTo.Time
                ? ", the newest state known of that time"
                : "")
            + ", up to LSN "
            + last.lsn()
            + ", to "
            + directory,
        JsonLine.of("point", point.number())
            .with("taken", point.time().toString())
            .with("lsn", last.lsn())
            .with("directory", directory.toString()));
    return ExitCode.OK;
  }

  /// For the thread of a signal. A restore renames the page file to its name last of all, so that
  /// with it the store is whole. Until the source was looked at there is no directory.
  void reportInterrupt(Path directory) {
    if (!Files.exists(directory) || Files.exists(directory.resolve(PAGE_FILE))) {
      return;
    }
    stores
        .stdio()
        .err()
        .println(
            "varve: interrupted: what was restored is no store yet: directory="
                + directory
                + "; empty it and restore again");
  }

  /// A point for programs. A full one has no base.
  static JsonLine json(BackupPoint point) {
    JsonLine line = JsonLine.of("point", point.number());
    if (!point.isFull()) {
      line.with("base", point.base());
    }
    return line.with("taken", point.time().toString())
        .with("lsn", point.lastCommit().lsn())
        .with("bytes", point.bytes())
        .with("file", String.valueOf(point.file()));
  }

  private static RestoreTo parse(String text) {
    try {
      if (text.startsWith(COMMIT)) {
        return RestoreTo.commit(new Commit(Long.parseLong(text.substring(COMMIT.length()))));
      }
      if (text.chars().allMatch(Character::isDigit)) {
        return RestoreTo.point(Long.parseLong(text));
      }
      return RestoreTo.time(
          text.endsWith("Z")
              ? Instant.parse(text)
              : LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant());
    } catch (IllegalArgumentException | DateTimeException e) {
      throw CommandException.usage(
          "'" + text + "' is not a point, nor lsn:NUMBER, nor a time like 2026-11-21T14:03:00", e);
    }
  }
}
