package io.varve.bench.report;

import java.util.Arrays;

/// What a figure says, in which unit, and which way is better.
public enum Metric {
  RATE("rate", "op/s", true),
  THROUGHPUT("throughput", "MB/s", true),
  LATENCY_P50("p50", "us", false),
  LATENCY_P99("p99", "us", false),
  FORCES("forces", "force/s", false),
  TIME("time", "ms", false),
  DISK("disk", "MB", false),
  HEAP("heap", "MB", false),
  NATIVE("native", "MB", false),
  GC_PAUSE("gc-pause", "ms/s", false),
  GC_PAUSE_MAX("gc-pause-max", "ms", false),
  COUNT("count", "entries", true),
  SHARE("share", "% of forces", true),
  SIZE("size", "B/item", false);

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

  static Metric labelled(String label) {
    return Arrays.stream(values())
        .filter(metric -> metric.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown metric: metric=" + label));
  }
}
