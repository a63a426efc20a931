package io.varve.bench.table;

import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;

/// How long each batch of operations took, in their order: the points of a line, and what sums it
/// up.
final class BatchSeries {
  private static final int TENTHS = 10;

  private final int batch;
  private final double[] millis;
  private int count;

  private BatchSeries(int operations, int batch) {
    this.batch = batch;
    this.millis = new double[operations / batch];
  }

  /// Runs operations 0 to `operations`, and times each `batch` of them.
  ///
  /// @param nanosMax after which no further batch begins
  static BatchSeries run(int operations, int batch, long nanosMax, IntConsumer operation) {
    BatchSeries series = new BatchSeries(operations, batch);
    long start = System.nanoTime();
    long begin = start;
    while (series.count < series.millis.length && begin - start < nanosMax) {
      int first = series.count * batch;
      for (int i = first; i < first + batch; i++) {
        operation.accept(i);
      }
      long end = System.nanoTime();
      series.millis[series.count++] = (end - begin) / 1e6;
      begin = end;
    }
    return series;
  }

  /// How many operations were made.
  int operations() {
    return count * batch;
  }

  /// Gives a row for each batch, and the least, median and greatest time, and the flatness.
  void report(RowSink rows, String caseName) {
    for (int i = 0; i < count; i++) {
      String point = String.format(Locale.ROOT, "%s batch %03d", caseName, i + 1);
      rows.accept(point, 1, Metric.BATCH_TIME, millis[i]);
    }
    double[] sorted = Arrays.copyOf(millis, count);
    Arrays.sort(sorted);
    rows.accept(caseName, 1, Metric.BATCH_MIN, sorted[0]);
    rows.accept(caseName, 1, Metric.BATCH_MEDIAN, sorted[count / 2]);
    rows.accept(caseName, 1, Metric.BATCH_MAX, sorted[count - 1]);
    if (count < millis.length) {
      rows.accept(caseName + " broken off", 1, Metric.COUNT, operations());
    } else if (count >= TENTHS) {
      rows.accept(caseName, 1, Metric.FLATNESS, tenth(TENTHS - 1) / tenth(1));
    }
  }

  private double tenth(int index) {
    int length = count / TENTHS;
    return Arrays.stream(millis, index * length, (index + 1) * length).average().orElse(0);
  }
}
