package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.report.Metric;
import io.varve.bench.report.Results;
import io.varve.bench.report.Row;
import io.varve.bench.report.Summary;
import io.varve.bench.report.html.Section;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a run prints: machine, plan and settings first, then rows as CSV, then the summary.
final class Report {
  /// A series whose end takes more times as long as its beginning is not flat.
  private static final double FLATNESS_MAX = 2;

  /// What sets a peer apart from a yardstick.
  private static final Set<Feature> PEERS =
      Set.of(Feature.PERSISTENT, Feature.OVERFLOWS, Feature.CACHES);

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

  /// What is shown but is no peer: what memory gives; and Varve set in another way, unless nothing
  /// else is measured.
  static Set<String> yardsticks(List<EngineType> types) {
    boolean isVarveAlone =
        types.stream().allMatch(type -> type.isVariant() || type.label().equals(VarveLabels.VARVE));
    return types.stream()
        .filter(type ->
            Collections.disjoint(type.features(), PEERS) || (type.isVariant() && !isVarveAlone))
        .map(EngineType::label)
        .collect(Collectors.toSet());
  }

  void machine(List<String> lines) {
    lines.forEach(this::comment);
  }

  void plan(Table table, Plan plan, int trials, String heap, List<EngineType> types) {
    comment(table.label() + ": " + table.description());
    setting("plan: trials=" + trials + " " + String.join(" ", PlanOptions.arguments(plan)));
    table.published().forEach(this::comment);
    table.stages().stream()
        .map(Table.Stage::collector)
        .distinct()
        .forEach(collector ->
            setting(
                "each engine and trial in a JVM of its own: "
                    + String.join(" ", ChildJvm.flags(heap, collector))));
    for (EngineType type : types) {
      setting(type.label() + ": " + type.version());
      if (table.measures(type)) {
        for (Promise promise : table.promises(plan, type)) {
          setting("  " + promise + ": " + table.describe(type, promise));
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
    flatness();
    failures.forEach(this::comment);
    out.flush();
    return failures.isEmpty();
  }

  private void summary(Results figures) {
    if (!figures.medians().isEmpty()) {
      out.println();
      new Summary(figures, VarveLabels.VARVE, yardsticks).lines().forEach(out::println);
    }
  }

  /// Prints which series take longer and longer.
  private void flatness() {
    List<Row> series =
        results.medians().stream().filter(row -> row.metric() == Metric.FLATNESS).toList();
    if (series.isEmpty()) {
      return;
    }
    comment("flat: the last tenth of a series takes less than twice as long as its second tenth");
    for (Row row : series) {
      if (row.value() > FLATNESS_MAX) {
        comment(
            String.format(
                Locale.ROOT, "NOT FLAT: %s %s %.1f", row.engine(), row.caseName(), row.value()));
      }
    }
    series.stream()
        .map(Row::engine)
        .distinct()
        .filter(engine ->
            series.stream()
                .noneMatch(row -> row.engine().equals(engine) && row.value() > FLATNESS_MAX))
        .forEach(engine -> comment("flat in every case: " + engine));
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
