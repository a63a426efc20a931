package io.varve.bench.report;

import java.util.Locale;

/// One figure of one engine. Names and cases hold no comma.
///
/// @param table the table it belongs to
/// @param engine what was measured
/// @param caseName what it did
/// @param threads by how many threads
/// @param metric what the figure measures
/// @param value the figure
public record Row(
    String table, String engine, String caseName, int threads, Metric metric, double value) {
  /// The first line of a file of rows.
  public static final String CSV_HEADER = "table,engine,case,threads,metric,unit,value";

  private static final int FIELDS = 7;

  /// Refuses what a line could not hold.
  public Row {
    if ((table + engine + caseName).contains(",")) {
      throw new IllegalArgumentException("a comma in a name: case=" + caseName);
    }
  }

  /// This row as a line, with four significant digits or more.
  public String toCsv() {
    String figure =
        Math.abs(value) >= 1000
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, "%.4g", value);
    return String.join(
        ",",
        table,
        engine,
        caseName,
        Integer.toString(threads),
        metric.label(),
        metric.unit(),
        figure);
  }

  /// Reads a line that [#toCsv()] wrote.
  public static Row parse(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not a row: line=" + line);
    }
    return new Row(
        fields[0],
        fields[1],
        fields[2],
        Integer.parseInt(fields[3]),
        Metric.labelled(fields[4]),
        Double.parseDouble(fields[6]));
  }
}
