package io.varve.bench.report;

import java.util.Arrays;

/// What a figure measures, in which unit, and which way is better.
public enum Metric {
  RATE("rate", "op/s", true),
  APPENDS("appends", "in 30 s", true),
  THROUGHPUT("throughput", "MB/s", true),
  LATENCY_P50("p50", "us", false),
  LATENCY_P99("p99", "us", false),
  FORCES("forces", "force/s", false),
  TIME("time", "ms", false),
  DISK("disk", "MB", false),
  DISK_SHARE("disk-share", "B/B", false),
  CPU("cpu", "ms/MB", false),
  HEAP("heap", "MB", false),
  NATIVE("native", "MB", false),
  GC_PAUSE("gc-pause", "ms/s", false),
  GC_PAUSE_MAX("gc-pause-max", "ms", false),
  COUNT("count", "entries", true),
  /// A point of a line in a chart; in the file of rows alone.
  BATCH_TIME("batch-time", "ms", false),
  BATCH_MIN("batch-min", "ms", false),
  BATCH_MEDIAN("batch-median", "ms", false),
  BATCH_MAX("batch-max", "ms", false),
  /// How many times as long the last tenth of a series takes as the second tenth.
  FLATNESS("flatness", "x", false),
  PAGE_LOADS("page-loads", "page/op", false),
  READ("read", "B/op", false),
  WRITTEN("written", "B/op", false),
  CPU_TIME("cpu-time", "us/op", false),
  HIT_RATIO("hits", "%", true),
  SHARE("share", "% of forces", true),
  SIZE("size", "B/item", false),
  /// What an entry takes in addition to its key and value.
  OVERHEAD("overhead", "B/entry", false),
  CALL("call", "us", false),
  GC_PAUSE_P99("gc-pause-p99", "ms", false);

  private final String label;
  private final String unit;
  private final boolean moreIsBetter;

  Metric(String label, String unit, boolean moreIsBetter) {
    this.label = label;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  /// The word in the CSV file.
  public String label() {
    return label;
  }

  /// The unit of its figures.
  public String unit() {
    return unit;
  }

  /// Whether a larger figure is the better one.
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /// Whether its figures are points of a line, too many for a summary.
  public boolean isSeries() {
    return this == BATCH_TIME;
  }

  /// The metric of that label.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Metric labelled(String label) {
    return Arrays.stream(values())
        .filter(metric -> metric.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown metric: metric=" + label));
  }
}
