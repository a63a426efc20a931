package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.report.Results;
import io.varve.bench.report.Row;
import io.varve.bench.report.Summary;
import io.varve.bench.report.html.Section;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a run prints: machine, plan and settings first, then rows as CSV, then the summary.
final class Report {
  private final PrintWriter out;
  private final Results device = new Results(List.of(DeviceTrial.ENGINE));
  private final Results results;
  private final Set<String> yardsticks = new HashSet<>(List.of(DeviceTrial.ENGINE));
  private final List<String> settings = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /// @param types what is measured, in the order in which to show it
  Report(PrintWriter out, List<EngineType> types) {
    this.out = out;
    results = new Results(types.stream().map(EngineType::label).toList());
    yardsticks.addAll(yardsticks(types));
  }

  /// What is shown but is no peer: what memory gives, and Varve in another way.
  static Set<String> yardsticks(List<EngineType> types) {
    return types.stream()
        .filter(type ->
            !type.features().contains(Feature.PERSISTENT) || Engines.isVarveCompressed(type))
        .map(EngineType::label)
        .collect(Collectors.toSet());
  }

  void machine(List<String> lines) {
    lines.forEach(this::comment);
  }

  void plan(Table table, Plan plan, int trials, List<String> flags, List<EngineType> types) {
    comment(table.label() + ": " + table.description());
    setting("plan: trials=" + trials + " " + String.join(" ", PlanOptions.arguments(plan)));
    table.published().forEach(this::comment);
    setting("each engine and trial in a JVM of its own: " + String.join(" ", flags));
    for (EngineType type : types) {
      setting(type.label() + ": " + type.version());
      if (table.measures(type)) {
        for (Promise promise : table.promises(plan, type)) {
          setting("  " + promise + ": " + type.describe(promise));
        }
      }
      table.leavesOut(type).ifPresent(reason -> setting("  left out of " + reason));
    }
  }

  void device(Row row) {
    device.add(row);
  }

  void row(Row row) {
    results.add(row);
  }

  void progress(int trial, int trials, EngineType type, Duration time, String failure) {
    String outcome = failure.isEmpty() ? "done" : "FAILED: " + failure;
    System.err.printf(
        "trial %d of %d: %s %s after %d s%n",
        trial, trials, type.label(), outcome, time.toSeconds());
    if (!failure.isEmpty()) {
      failures.add("trial " + trial + " of " + type.label() + " failed: " + failure);
    }
  }

  /// The medians of all figures, those of the device first.
  List<Row> rows() {
    return Stream.concat(device.medians().stream(), results.medians().stream()).toList();
  }

  /// What a page shows of this run.
  Section section(Table table) {
    return new Section(table.label(), table.description(), settings, results.medians(), failures);
  }

  /// Prints everything.
  ///
  /// @return whether no trial failed
  boolean finish() {
    out.println(Row.CSV_HEADER);
    rows().stream().map(Row::toCsv).forEach(out::println);
    summary(device);
    summary(results);
    failures.forEach(this::comment);
    out.flush();
    return failures.isEmpty();
  }

  private void summary(Results figures) {
    if (!figures.medians().isEmpty()) {
      out.println();
      new Summary(figures, Engines.VARVE, yardsticks).lines().forEach(out::println);
    }
  }

  private void setting(String line) {
    settings.add(line);
    comment(line);
  }

  private void comment(String line) {
    out.println("# " + line);
    out.flush();
  }
}
