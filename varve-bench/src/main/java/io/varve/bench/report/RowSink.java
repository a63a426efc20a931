package io.varve.bench.report;

import java.util.function.Consumer;

/// Takes the figures of one engine in one table.
@FunctionalInterface
public interface RowSink {
  /// Takes a figure.
  void accept(String caseName, int threads, Metric metric, double value);

  /// A sink that makes rows.
  static RowSink of(String table, String engine, Consumer<Row> rows) {
    return (caseName, threads, metric, value) ->
        rows.accept(new Row(table, engine, caseName, threads, metric, value));
  }
}
