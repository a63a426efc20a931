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
        Figures.rate(now.commits().applied() - before.commits().applied(), time),
        Figures.rate(now.log().forces() - before.log().forces(), time),
        Figures.bytes(now.log().appendedBytes() - before.log().appendedBytes()),
        nanos(now.log().forceTimes().nanos(0.99)),
        Figures.rate(now.cache().loads() - before.cache().loads(), time),
        Figures.bytes(now.cache().dirtyBytes()),
        Figures.bytes(now.cache().usedBytes()));
  }
}
