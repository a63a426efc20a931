package io.varve.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The medians as a table for readers: a line per case, a column per engine, and how the subject
/// does against the best of its peers. A ratio above 1 means that the subject is better, whichever
/// way the metric counts.
public final class Summary {
  /// Trials that are further apart than this share of their median are marked.
  private static final double SPREAD_MARKED = 0.25;

  private final Results results;
  private final String subject;
  private final Set<String> yardsticks;
  private final boolean compares;

  /// @param subject the engine that is compared with all others
  /// @param yardsticks what is shown but is no peer: the machine itself, and what memory gives
  public Summary(Results results, String subject, Set<String> yardsticks) {
    this.results = results;
    this.subject = subject;
    this.yardsticks = yardsticks;
    compares = results.engines().stream().anyMatch(this::isPeer);
  }

  private boolean isPeer(String engine) {
    return !engine.equals(subject) && !yardsticks.contains(engine);
  }

  /// The table, one line each.
  public List<String> lines() {
    List<List<String>> cells = new ArrayList<>();
    cells.add(header());
    results
        .lines()
        .forEach((line, figures) -> {
          if (!line.metric().isSeries()) {
            cells.add(cells(line, figures));
          }
        });
    List<String> lines = aligned(cells);
    lines.add("medians; ~ marks trials more than 25 % apart");
    if (compares) {
      lines.add("ratio: " + subject + " to the best peer, above 1 where it is better");
    }
    return lines;
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of("case", "threads", "metric"));
    header.addAll(results.engines());
    if (compares) {
      header.addAll(List.of("best peer", "ratio"));
    }
    return header;
  }

  private List<String> cells(Results.Line line, Map<String, List<Double>> figures) {
    Metric metric = line.metric();
    List<String> cells = new ArrayList<>();
    cells.add(line.caseName());
    cells.add(Integer.toString(line.threads()));
    cells.add(metric.label() + " " + metric.unit());
    for (String engine : results.engines()) {
      List<Double> trials = figures.getOrDefault(engine, List.of());
      cells.add(trials.isEmpty() ? "-" : figure(trials));
    }
    if (compares) {
      Optional<String> best = bestPeer(metric, figures);
      cells.add(best.orElse("-"));
      cells.add(best.map(peer -> ratio(metric, figures, peer)).orElse("-"));
    }
    return cells;
  }

  private Optional<String> bestPeer(Metric metric, Map<String, List<Double>> figures) {
    Comparator<String> byMedian =
        Comparator.comparingDouble(
            engine -> Results.median(figures.getOrDefault(engine, List.of(0.0))));
    return figures.keySet().stream()
        .filter(this::isPeer)
        .max(metric.moreIsBetter() ? byMedian : byMedian.reversed());
  }

  private String ratio(Metric metric, Map<String, List<Double>> figures, String peer) {
    List<Double> ours = figures.getOrDefault(subject, List.of());
    double theirMedian = Results.median(figures.getOrDefault(peer, List.of(0.0)));
    if (ours.isEmpty()) {
      return "-";
    }
    double ourMedian = Results.median(ours);
    double dividend = metric.moreIsBetter() ? ourMedian : theirMedian;
    double divisor = metric.moreIsBetter() ? theirMedian : ourMedian;
    return divisor == 0 ? "-" : String.format(Locale.ROOT, "%.2f", dividend / divisor);
  }

  private static String figure(List<Double> trials) {
    String mark = Results.spread(trials) > SPREAD_MARKED ? "~" : "";
    return mark + shortened(Results.median(trials));
  }

  static String shortened(double value) {
    double size = Math.abs(value);
    if (size >= 9_999_500) {
      return String.format(Locale.ROOT, "%.1fM", value / 1e6);
    }
    if (size >= 999_500) {
      return String.format(Locale.ROOT, "%.2fM", value / 1e6);
    }
    if (size >= 9_995) {
      return String.format(Locale.ROOT, "%.0fk", value / 1e3);
    }
    if (size >= 100) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  private static List<String> aligned(List<List<String>> cells) {
    int columns = cells.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : cells) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        String space = " ".repeat(widths[column] - cell.length());
        // Names are at the left, figures at the right.
        line.append(column == 0 || column == 2 ? cell + space : space + cell).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
