package io.varve.cli.demo;

import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Progress;
import io.varve.cli.console.ProgressUnit;
import io.varve.cli.console.Shutdown;
import io.varve.cli.console.Stdio;
import io.varve.cli.transfer.FileTree;
import io.varve.control.ControlSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Runs the demonstration from end to end and reports what it sees.
public final class Demo {
  /// When the kill comes at the latest, in percent of the time allowed. The load runs at the same
  /// rate before and after it, so about half of the rest is needed for the other half.
  private static final int KILL_PERCENT_MAX = 35;

  /// When the second load ends at the latest; checks and questions take the rest.
  private static final int LOAD_PERCENT_MAX = 80;

  private final DemoOptions options;
  private final Stdio stdio;
  private final Report report;
  private final FileTree tree;
  private final List<FileTree.Item> items;
  private final Map<String, FileTree.Item> itemsByPath;
  private final long startNanos = System.nanoTime();
  private boolean allHold = true;

  /// The files that the last check found.
  private Set<String> paths = Set.of();

  private Demo(DemoOptions options, Stdio stdio, FileTree tree) {
    this.options = options;
    this.stdio = stdio;
    this.tree = tree;
    report = new Report(stdio);
    items = DemoSource.items(tree);
    itemsByPath =
        items.stream()
            .collect(Collectors.toUnmodifiableMap(FileTree.Item::path, Function.identity()));
  }

  /// Runs all of it.
  ///
  /// @return whether every check passed
  public static boolean run(DemoOptions options, Stdio stdio) throws IOException {
    // First of all: what is in the way is the better answer than what is missing in the source.
    DemoDirectory.requireReplaceable(options.directory());
    try (FileTree tree = FileTree.of(options.source(), options.directory())) {
      return new Demo(options, stdio, tree).run();
    }
  }

  private boolean run() throws IOException {
    if (items.isEmpty()) {
      throw CommandException.usage("no files to load in " + options.source());
    }
    DemoDirectory.prepare(options.directory());
    report.say(
        "%s, %s, of %s into %s"
            .formatted(
                Figures.count(items.size(), "file"),
                Figures.bytes(bytesOf(itemsByPath.keySet())),
                options.source(),
                options.directory()));
    Set<String> acknowledged = loadAndKill();
    Store store = open();
    try (Shutdown.Hook _ = Shutdown.onSignal(store::close);
        store;
        ControlSocket _ = ControlSocket.openIfPossible(store, options.directory())) {
      DemoSpaces spaces = DemoSpaces.of(store);
      report.title("3. Check: what was acknowledged is there, and no half of a transaction");
      check(spaces, acknowledged);
      acknowledged.addAll(loadRest(spaces));
      check(spaces, acknowledged);
      ask(spaces);
      measure(store);
    }
    sayWhatNext();
    return allHold;
  }

  private Set<String> loadAndKill() throws IOException {
    report.title(
        "1. Load in a process of its own: %s, each file a transaction, each commit forced to disk"
            .formatted(Figures.count(options.threads(), "thread")));
    int half = (items.size() + 1) / 2;
    var load = new KilledLoad(options, half, timeUntil(KILL_PERCENT_MAX));
    KilledLoad.Outcome outcome;
    try (var _ =
        Progress.start(stdio, "load", ProgressUnit.COUNT, items.size(), load::acknowledgedCount)) {
      outcome = load.run();
    }
    int count = outcome.acknowledged().size();
    report.say(
        "killed by SIGKILL after %s with %s acknowledged: %s, %s"
            .formatted(
                Figures.time(outcome.time()),
                Figures.count(count, "file"),
                Figures.rate(count, "files", outcome.time()),
                Figures.byteRate(bytesOf(outcome.acknowledged()), outcome.time())));
    return new HashSet<>(outcome.acknowledged());
  }

  private Store open() {
    report.title("2. Open the store again");
    long openNanos = System.nanoTime();
    Store store = DemoSpaces.open(options.directory());
    Statistics statistics = store.statistics();
    report.say(
        "open after %s, of it %s for recovery: %s replayed from the log"
            .formatted(
                Report.timeSince(openNanos),
                Figures.time(Duration.ofNanos(statistics.recovery().durationNanos())),
                Figures.count(statistics.recovery().replayedCommits(), "commit")));
    return store;
  }

  private void check(DemoSpaces spaces, Set<String> acknowledged) throws IOException {
    var check = new StoreCheck(spaces, tree, itemsByPath);
    long checkNanos = System.nanoTime();
    StoreCheck.Findings findings;
    try (var _ =
        Progress.start(
            stdio, "check", ProgressUnit.COUNT, check.entryCount(), check::entriesSeen)) {
      findings = check.run(acknowledged);
    }
    findings.checks().forEach(result -> report.say(result.toString()));
    report.say("checked in %s".formatted(Report.timeSince(checkNanos)));
    allHold &= findings.allHold();
    paths = findings.paths();
  }

  private Set<String> loadRest(DemoSpaces spaces) {
    report.title("4. Load the rest in the same way, and check again");
    long missing = items.size() - spaces.files().count(Range.all());
    var load = new RemainingLoad(spaces, tree, items);
    RemainingLoad.Outcome outcome;
    try (var _ = Progress.start(stdio, "load", ProgressUnit.COUNT, missing, load::fileCount)) {
      outcome = load.run(options.threads(), timeUntil(LOAD_PERCENT_MAX));
    }
    sayRates(outcome);
    long left = missing - outcome.acknowledged().size();
    if (left > 0) {
      report.say(
          "stopped for time: %s not loaded; --seconds-max allows more"
              .formatted(Figures.count(left, "file")));
    }
    return outcome.acknowledged();
  }

  private void sayRates(RemainingLoad.Outcome outcome) {
    int fileCount = outcome.acknowledged().size();
    long commits = outcome.after().commits().applied() - outcome.before().commits().applied();
    long forces = outcome.after().log().forces() - outcome.before().log().forces();
    report.say(
        "%s in %s: %s, %s, %s"
            .formatted(
                Figures.count(fileCount, "file"),
                Figures.time(outcome.time()),
                Figures.rate(fileCount, "files", outcome.time()),
                Figures.byteRate(outcome.bytes(), outcome.time()),
                Figures.rate(commits, "commits", outcome.time())));
    report.say(
        "%s shared %s of the log, %s each; a force took at most %s (median), %s (99 %%)"
            .formatted(
                Figures.count(commits, "commit"),
                Figures.count(forces, "force"),
                Figures.ratio(commits, forces),
                Figures.time(Duration.ofNanos(outcome.after().log().forceTimes().nanos(0.5))),
                Figures.time(Duration.ofNanos(outcome.after().log().forceTimes().nanos(0.99)))));
  }

  private void ask(DemoSpaces spaces) {
    report.title("5. Ask the index by queries, all in one snapshot");
    try (Snapshot snapshot = spaces.store().snapshot()) {
      new Questions(new WordQueries(snapshot, spaces), report).ask(options.words());
    }
  }

  private void measure(Store store) throws IOException {
    report.title("6. Size");
    long checkpointNanos = System.nanoTime();
    store.checkpoint();
    report.say("checkpoint in %s".formatted(Report.timeSince(checkpointNanos)));
    Statistics statistics = store.statistics();
    long inputBytes = bytesOf(paths);
    long liveBytes = statistics.disk().pageFileBytes() - statistics.disk().freeBytes();
    report.say(
        "loaded %s; page file %s, of it %s free: %s bytes in use for each byte loaded, with index"
            .formatted(
                Figures.bytes(inputBytes),
                Figures.bytes(statistics.disk().pageFileBytes()),
                Figures.bytes(statistics.disk().freeBytes()),
                Figures.ratio(liveBytes, inputBytes)));
    report.say(
        "directory, log included: %s"
            .formatted(Figures.bytes(DemoDirectory.bytes(options.directory()))));
  }

  private void sayWhatNext() {
    report.title(
        "Done in %s: %s"
            .formatted(
                Report.timeSince(startNanos), allHold ? "every check passed" : "A CHECK FAILED"));
    report.say("The store stays. Look at it:");
    report.say("  varve spaces --long -s %s".formatted(options.directory()));
    report.say(
        "  varve scan words --prefix '%s\\0' --limit 5 -s %s"
            .formatted(options.words().getFirst(), options.directory()));
    report.say("  varve shell -s %s".formatted(options.directory()));
  }

  private long bytesOf(Collection<String> paths) {
    return paths.stream()
        .map(itemsByPath::get)
        .mapToLong(item -> item == null ? 0 : item.bytes())
        .sum();
  }

  private Duration timeUntil(int percent) {
    long endNanos = startNanos + TimeUnit.SECONDS.toNanos(options.secondsMax()) / 100 * percent;
    return Duration.ofNanos(Math.max(endNanos - System.nanoTime(), 0));
  }
}
