package io.varve.bench.report.html;

import io.varve.bench.report.Row;
import java.util.List;

/// A table on the page.
///
/// @param table its name
/// @param description what it measures
/// @param settings the plan, and the engines with their versions and settings, a line each
/// @param rows medians over the trials
/// @param failures trials that failed
public record Section(
    String table,
    String description,
    List<String> settings,
    List<Row> rows,
    List<String> failures) {
  /// Copies the lists.
  public Section {
    settings = List.copyOf(settings);
    rows = List.copyOf(rows);
    failures = List.copyOf(failures);
  }
}
