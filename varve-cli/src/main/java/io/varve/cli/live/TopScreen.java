package io.varve.cli.live;

import io.varve.Statistics;
import io.varve.cli.console.Figures;
import io.varve.control.HolderFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The lines of `top`.
final class TopScreen {
  private final Path store;

  TopScreen(Path store) {
    this.store = store;
  }

  /// The first is the heading; those after it have a name and figures.
  List<String> lines(HolderFigures before, HolderFigures now, Duration time) {
    var interval = new Interval(before.statistics(), now.statistics(), time);
    List<String> lines = new ArrayList<>();
    lines.add(
        "varve top  %s  pid %d  up %s  (q ends)"
            .formatted(
                store, now.processId(), Figures.time(Duration.ofMillis(now.uptimeMillis()))));
    lines.add("");
    commits(interval, lines);
    pages(interval, lines);
    files(interval, lines);
    process(now, lines);
    return lines;
  }

  private static void row(List<String> lines, String name, String figures) {
    lines.add("%-13s".formatted(name) + figures);
  }

  private static void commits(Interval interval, List<String> lines) {
    row(
        lines,
        "commits",
        "%s, conflicts %s, slowed %s/s"
            .formatted(
                interval.rate(of -> of.commits().applied()),
                interval.rate(of -> of.commits().conflicts()),
                time(
                    interval.rise(of -> of.commits().throttledNanos())
                        * 1_000_000_000
                        / Math.max(1, interval.time().toNanos()))));
    row(
        lines,
        "forces",
        "%s, median %s, 99 %% %s, commits each %s"
            .formatted(
                interval.rate(of -> of.log().forces()),
                interval.forceTime(0.5),
                interval.forceTime(0.99),
                Figures.ratio(
                    interval.rise(of -> of.commits().applied()),
                    interval.rise(of -> of.log().forces()))));
    Statistics now = interval.now();
    row(
        lines,
        "log",
        "%s, kept %s, for backups %s"
            .formatted(
                interval.byteRate(of -> of.log().appendedBytes()),
                Figures.bytes(now.log().retainedBytes()),
                Figures.bytes(now.log().archivedBytes())));
    row(
        lines,
        "checkpoints",
        "%s, last took %s, written %s, spills %s"
            .formatted(
                Figures.count(now.checkpoints().count()),
                time(now.checkpoints().lastNanos()),
                interval.byteRate(of -> of.checkpoints().writtenBytes()),
                Figures.count(now.checkpoints().spills())));
  }

  private static void pages(Interval interval, List<String> lines) {
    Statistics.CacheFigures cache = interval.now().cache();
    row(
        lines,
        "cache",
        "%s of %s, dirty %s"
            .formatted(
                Figures.bytes(cache.usedBytes()),
                Figures.bytes(cache.budgetBytes()),
                Figures.bytes(cache.dirtyBytes())));
    row(
        lines,
        "reads",
        "hits %s, loads %s, evictions %s"
            .formatted(
                interval.hitShare(),
                interval.rate(of -> of.cache().loads()),
                interval.rate(of -> of.cache().evictions())));
    if (cache.offHeap().budgetBytes() > 0) {
      row(
          lines,
          "off heap",
          "%s of %s, hits %s, misses %s"
              .formatted(
                  Figures.bytes(cache.offHeap().usedBytes()),
                  Figures.bytes(cache.offHeap().budgetBytes()),
                  interval.rate(of -> of.cache().offHeap().hits()),
                  interval.rate(of -> of.cache().offHeap().misses())));
    }
  }

  private static void files(Interval interval, List<String> lines) {
    Statistics.DiskFigures disk = interval.now().disk();
    row(
        lines,
        "page file",
        "%s, free in it %s, read %s, written %s"
            .formatted(
                Figures.bytes(disk.pageFileBytes()),
                Figures.bytes(disk.freeBytes()),
                interval.byteRate(of -> of.disk().readBytes()),
                interval.byteRate(of -> of.disk().writtenBytes())));
    row(
        lines,
        "all files",
        "%s%s"
            .formatted(
                Figures.bytes(disk.usedBytes()),
                disk.quotaBytes() == Long.MAX_VALUE
                    ? ""
                    : " of " + Figures.bytes(disk.quotaBytes())));
  }

  private static void process(HolderFigures now, List<String> lines) {
    row(
        lines,
        "heap",
        "%s of %s"
            .formatted(Figures.bytes(now.heapUsedBytes()), Figures.bytes(now.heapBytesMax())));
    List<Statistics.OpenSnapshot> open = now.statistics().snapshots().open();
    row(lines, "snapshots", "%s".formatted(Figures.count(open.size())));
    open.stream()
        .sorted(Comparator.comparing(Statistics.OpenSnapshot::age).reversed())
        .forEach(snapshot ->
            row(
                lines,
                "",
                "%s old, of %s".formatted(Figures.time(snapshot.age()), snapshot.owner())));
  }

  private static String time(long nanos) {
    return Figures.time(Duration.ofNanos(nanos));
  }
}
