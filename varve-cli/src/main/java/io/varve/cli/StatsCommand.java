package io.varve.cli;

import io.varve.Statistics;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.live.FiguresJson;
import io.varve.cli.live.Watcher;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "stats",
    description = "Print figures of the store since it was opened.",
    footer =
        """

        --watch prints a line of rates after each interval, until Ctrl-C.

        Examples:
          varve stats
          varve stats --watch --interval 5
          varve stats --json | jq .commits.applied\
        """)
final class StatsCommand implements Callable<Integer> {
  private final Stores stores;

  @Option(names = "--watch", description = "Continue printing what changes.")
  boolean watch;

  @Mixin final WatchOptions options = new WatchOptions();

  @Option(
      names = "--json",
      description = "All figures as a JSON object; with --watch as JSON Lines.")
  boolean json;

  StatsCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    options.check();
    return stores.look(
        store -> show(store::statistics), client -> show(() -> client.statistics().statistics()));
  }

  private int show(Supplier<Statistics> statistics) {
    if (watch) {
      new Watcher(statistics, stores.stdio(), json).print(options.interval(), options.times);
      return ExitCode.OK;
    }
    if (json) {
      stores.stdio().println(FiguresJson.line(statistics.get()));
      return ExitCode.OK;
    }
    return print(statistics.get());
  }

  private int print(Statistics now) {
    row("commits", Figures.count(now.commits().applied()));
    row("conflicts", Figures.count(now.commits().conflicts()));
    row("last commit (LSN)", Figures.count(now.commits().lastLsn()));
    row("durable commit (LSN)", Figures.count(now.commits().durableLsn()));
    row("log written", Figures.bytes(now.log().appendedBytes()));
    row("log kept", Figures.bytes(now.log().retainedBytes()));
    row("log for backups", Figures.bytes(now.log().archivedBytes()));
    row("forces", Figures.count(now.log().forces()));
    row("commits per force", Figures.ratio(now.commits().applied(), now.log().forces()));
    row("force time, median", nanos(now.log().forceTimes().nanos(0.5)));
    row("force time, 99 %", nanos(now.log().forceTimes().nanos(0.99)));
    row("page file", Figures.bytes(now.disk().pageFileBytes()));
    row("free in it", Figures.bytes(now.disk().freeBytes()));
    String quota =
        now.disk().quotaBytes() == Long.MAX_VALUE
            ? ""
            : " of " + Figures.bytes(now.disk().quotaBytes());
    row("all files", Figures.bytes(now.disk().usedBytes()) + quota);
    row(
        "cache",
        Figures.bytes(now.cache().usedBytes()) + " of " + Figures.bytes(now.cache().budgetBytes()));
    row("dirty", Figures.bytes(now.cache().dirtyBytes()));
    row("page hits", Figures.count(now.cache().hits()));
    row("page misses", Figures.count(now.cache().misses()));
    row("page loads", Figures.count(now.cache().loads()));
    row("page evictions", Figures.count(now.cache().evictions()));
    Statistics.OffHeapFigures offHeap = now.cache().offHeap();
    if (offHeap.budgetBytes() > 0) {
      row(
          "outside of the heap",
          Figures.bytes(offHeap.usedBytes()) + " of " + Figures.bytes(offHeap.budgetBytes()));
      row("pages there", Figures.count(offHeap.images()));
      row("hits there", Figures.count(offHeap.hits()));
      row("misses there", Figures.count(offHeap.misses()));
      row("evictions there", Figures.count(offHeap.evictions()));
    }
    row("pages read", Figures.bytes(now.disk().readBytes()));
    row("pages written", Figures.bytes(now.disk().writtenBytes()));
    row("checkpoints", Figures.count(now.checkpoints().count()));
    row("spills", Figures.count(now.checkpoints().spills()));
    row("checkpoint bytes", Figures.bytes(now.checkpoints().writtenBytes()));
    row("last checkpoint", nanos(now.checkpoints().lastNanos()));
    row("longest commit pause", nanos(now.commits().pauseNanosMax()));
    row("writers slowed for", nanos(now.commits().throttledNanos()));
    Statistics.LogWaitFigures waits = now.log().waits();
    row("waits for log buffer", nanos(waits.bufferNanos()));
    row("waits for log files", nanos(waits.segmentNanos()));
    row("waits for checkpoints", nanos(waits.checkpointNanos()));
    row("recovery at open", nanos(now.recovery().durationNanos()));
    row("commits recovered", Figures.count(now.recovery().replayedCommits()));
    row("open snapshots", Figures.count(now.snapshots().open().size()));
    for (Statistics.OpenSnapshot snapshot : now.snapshots().open()) {
      StackTraceElement origin = snapshot.origin();
      row(
          "  of " + snapshot.owner(),
          Figures.time(snapshot.age()) + " old" + (origin == null ? "" : ", taken at " + origin));
    }
    return ExitCode.OK;
  }

  private void row(String name, String figure) {
    stores.stdio().println(String.format("%-22s %s", name, figure));
  }

  private static String nanos(long nanos) {
    return Figures.time(Duration.ofNanos(nanos));
  }
}
