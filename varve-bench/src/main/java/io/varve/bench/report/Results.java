package io.varve.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The figures of all trials.
public final class Results {
  private final Map<Line, Map<String, List<Double>>> lines = new LinkedHashMap<>();
  private final Map<String, Set<Line>> sequences = new HashMap<>();
  private final Set<String> engines = new LinkedHashSet<>();

  /// Makes an empty set of figures.
  ///
  /// @param engines the engines that may come, in the order in which to show them
  public Results(List<String> engines) {
    this.engines.addAll(engines);
  }

  /// What engines are compared in.
  record Line(String table, String caseName, int threads, Metric metric) {}

  /// Adds a figure of one trial.
  public void add(Row row) {
    engines.add(row.engine());
    var line = new Line(row.table(), row.caseName(), row.threads(), row.metric());
    sequences.computeIfAbsent(row.engine(), engine -> new LinkedHashSet<>()).add(line);
    lines
        .computeIfAbsent(line, added -> new LinkedHashMap<>())
        .computeIfAbsent(row.engine(), engine -> new ArrayList<>())
        .add(row.value());
  }

  /// The median over the trials of every figure.
  public List<Row> medians() {
    List<Row> rows = new ArrayList<>();
    lines()
        .forEach((line, figures) ->
            figures.forEach((engine, trials) -> rows.add(row(line, engine, trials))));
    return rows;
  }

  private static Row row(Line line, String engine, List<Double> trials) {
    return new Row(
        line.table(), engine, line.caseName(), line.threads(), line.metric(), median(trials));
  }

  /// The engines that have figures.
  List<String> engines() {
    return engines.stream().filter(sequences::containsKey).toList();
  }

  /// The figures by line: the lines in the order of the engine that has most of them, then the
  /// others. The engines of the first trial came in any order, and some leave lines out.
  Map<Line, Map<String, List<Double>>> lines() {
    Map<Line, Map<String, List<Double>>> ordered = new LinkedHashMap<>();
    sequences.values().stream()
        .max(Comparator.comparingInt(Set::size))
        .ifPresent(fullest ->
            fullest.forEach(line -> ordered.put(line, lines.getOrDefault(line, Map.of()))));
    lines.forEach(ordered::putIfAbsent);
    return ordered;
  }

  static double median(List<Double> trials) {
    double[] sorted = trials.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /// How far the trials are apart, as a share of their median.
  static double spread(List<Double> trials) {
    double median = median(trials);
    double max = trials.stream().mapToDouble(Double::doubleValue).max().orElse(median);
    double min = trials.stream().mapToDouble(Double::doubleValue).min().orElse(median);
    return median == 0 ? 0 : (max - min) / Math.abs(median);
  }
}
