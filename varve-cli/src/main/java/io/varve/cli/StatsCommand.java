package io.varve.cli;

import io.varve.Statistics;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Stdio;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "stats",
    description = "Print figures of the store since it was opened.",
    footer =
        """

        --watch prints a line of rates after each interval, until Ctrl-C.

        Examples:
          varve stats
          varve stats --watch --interval 5\
        """)
final class StatsCommand implements Callable<Integer> {
  private final Stores stores;

  @Option(names = "--watch", description = "Continue printing what changes.")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "Time between two lines of --watch. Default: 1.")
  double intervalSeconds = 1;

  @Option(names = "--times", paramLabel = "COUNT", description = "End --watch after so many lines.")
  long times = Long.MAX_VALUE;

  StatsCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    if (!(intervalSeconds > 0)) {
      throw CommandException.usage("--interval must be above 0: " + intervalSeconds);
    }
    return stores.read(store -> watch ? watch(store) : print(store.statistics()));
  }

  private int print(Statistics now) {
    row("commits", Figures.count(now.commits()));
    row("conflicts", Figures.count(now.conflicts()));
    row("last commit (LSN)", Figures.count(now.lastCommit()));
    row("durable commit (LSN)", Figures.count(now.durableCommit()));
    row("log written", Figures.bytes(now.logBytes()));
    row("log kept", Figures.bytes(now.logBytesRetained()));
    row("log for backups", Figures.bytes(now.logBytesKept()));
    row("forces", Figures.count(now.forces()));
    row("commits per force", Figures.ratio(now.commits(), now.forces()));
    row("force time, median", nanos(now.forceNanosP50()));
    row("force time, 99 %", nanos(now.forceNanosP99()));
    row("page file", Figures.bytes(now.fileBytes()));
    row("free in it", Figures.bytes(now.freeBytes()));
    String quota =
        now.diskBytesMax() == Long.MAX_VALUE ? "" : " of " + Figures.bytes(now.diskBytesMax());
    row("all files", Figures.bytes(now.diskBytes()) + quota);
    row("cache", Figures.bytes(now.cacheBytes()) + " of " + Figures.bytes(now.cacheBytesMax()));
    row("dirty", Figures.bytes(now.dirtyBytes()));
    row("page hits", Figures.count(now.pageHits()));
    row("page misses", Figures.count(now.pageMisses()));
    row("page loads", Figures.count(now.pageLoads()));
    row("page evictions", Figures.count(now.pageEvictions()));
    row("pages read", Figures.bytes(now.pageBytesRead()));
    row("pages written", Figures.bytes(now.pageBytesWritten()));
    row("checkpoints", Figures.count(now.checkpoints()));
    row("spills", Figures.count(now.spills()));
    row("checkpoint bytes", Figures.bytes(now.checkpointBytes()));
    row("last checkpoint", nanos(now.lastCheckpointNanos()));
    row("longest commit pause", nanos(now.commitPauseNanosMax()));
    row("writers slowed for", nanos(now.throttledNanos()));
    row("recovery at open", nanos(now.recoveryNanos()));
    row("commits recovered", Figures.count(now.recoveredCommits()));
    row("open snapshots", Figures.count(now.snapshots().size()));
    for (Statistics.OpenSnapshot snapshot : now.snapshots()) {
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

  private int watch(Store store) {
    Stdio stdio = stores.stdio();
    stdio.println(
        "  commits/s   forces/s     log/s   p99 force   page loads/s      dirty      cache");
    Statistics before = store.statistics();
    for (long line = 0; line < times; line++) {
      long startNanos = System.nanoTime();
      pause();
      Statistics now = store.statistics();
      stdio.println(rates(before, now, Duration.ofNanos(System.nanoTime() - startNanos)));
      stdio.flush();
      before = now;
    }
    return ExitCode.OK;
  }

  private void pause() {
    try {
      Thread.sleep(Duration.ofNanos(Math.round(intervalSeconds * 1e9)));
    } catch (InterruptedException e) {
      throw CommandException.interrupted();
    }
  }

  private static String rates(Statistics before, Statistics now, Duration time) {
    return String.format(
        "%11s%11s%10s%12s%15s%11s%11s",
        Figures.rate(now.commits() - before.commits(), time),
        Figures.rate(now.forces() - before.forces(), time),
        Figures.bytes(now.logBytes() - before.logBytes()),
        nanos(now.forceNanosP99()),
        Figures.rate(now.pageLoads() - before.pageLoads(), time),
        Figures.bytes(now.dirtyBytes()),
        Figures.bytes(now.cacheBytes()));
  }
}
