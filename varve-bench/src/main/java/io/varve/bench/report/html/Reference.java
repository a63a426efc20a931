package io.varve.bench.report.html;

import io.varve.bench.report.Metric;
import io.varve.bench.report.Row;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Figures that are shown next to measured ones: what others have published, and what the device
/// gives. Both are named in resources, so that a new one takes no code.
final class Reference {
  private static final int PUBLISHED_FIELDS = 8;
  private static final int LIMIT_FIELDS = 4;

  private Reference() {}

  /// A figure that others have published, of other hardware, for the row of a case.
  ///
  /// @param who what was measured
  /// @param source where and when it was published
  record Published(
      String table,
      String caseName,
      int threads,
      Metric metric,
      double value,
      String who,
      String source) {}

  /// All published figures.
  static List<Published> published() {
    return lines("published.csv", PUBLISHED_FIELDS).stream().map(Reference::published).toList();
  }

  private static Published published(String[] fields) {
    return new Published(
        fields[0],
        fields[1],
        Integer.parseInt(fields[2]),
        Metric.labelled(fields[3]),
        Double.parseDouble(fields[5]),
        fields[6],
        fields[7]);
  }

  /// What of the device bounds cases of a table.
  ///
  /// @param cases a regular expression that their names match
  /// @param deviceCase the case of the device's own table
  record Limit(String table, String cases, Metric metric, String deviceCase) {
    /// The device's row for a row, of as many streams as it has threads, or of the most below.
    Optional<Row> of(Row row, List<Row> device) {
      if (!row.table().equals(table) || row.metric() != metric || !row.caseName().matches(cases)) {
        return Optional.empty();
      }
      return device.stream()
          .filter(each -> each.caseName().equals(deviceCase))
          .filter(each -> each.metric() == metric && each.threads() <= row.threads())
          .reduce((fewer, more) -> more.threads() >= fewer.threads() ? more : fewer);
    }
  }

  /// All limits.
  static List<Limit> limits() {
    return lines("limits.csv", LIMIT_FIELDS).stream()
        .map(fields -> new Limit(fields[0], fields[1], Metric.labelled(fields[2]), fields[3]))
        .toList();
  }

  private static List<String[]> lines(String resource, int fieldCount) {
    List<String[]> lines = new ArrayList<>();
    for (String line : text(resource).lines().skip(1).toList()) {
      String[] fields = line.split(",", fieldCount);
      if (fields.length != fieldCount) {
        throw new IllegalArgumentException("line of " + resource + " cut short: line=" + line);
      }
      lines.add(fields);
    }
    return lines;
  }

  /// A resource of this package.
  static String text(String resource) {
    return text(Reference.class.getResourceAsStream(resource), resource);
  }

  /// A resource, wherever it is.
  static String text(@Nullable InputStream resource, String name) {
    try (InputStream in = Objects.requireNonNull(resource, name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
