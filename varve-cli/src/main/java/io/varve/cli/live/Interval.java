package io.varve.cli.live;

import io.varve.Histogram;
import io.varve.Statistics;
import io.varve.cli.console.Figures;
import java.time.Duration;
import java.util.function.ToLongFunction;

/// What happened between two looks at the figures of a store.
///
/// @param before the earlier figures
/// @param now the later ones
/// @param time between them
record Interval(Statistics before, Statistics now, Duration time) {
  /// How much a count has risen.
  long rise(ToLongFunction<Statistics> count) {
    return count.applyAsLong(now) - count.applyAsLong(before);
  }

  /// How much a count rises in a second.
  String rate(ToLongFunction<Statistics> count) {
    return Figures.rate(rise(count), time);
  }

  /// How many bytes a count rises by in a second.
  String byteRate(ToLongFunction<Statistics> bytes) {
    return Figures.byteRate(rise(bytes), time);
  }

  /// The time that this share of the forces of the interval did not exceed.
  String forceTime(double share) {
    Histogram later = now.log().forceTimes();
    long[] counts = later.counts();
    long[] earlier = before.log().forceTimes().counts();
    for (int i = 0; i < Math.min(counts.length, earlier.length); i++) {
      counts[i] -= earlier[i];
    }
    var forces = Histogram.of(counts, later.totalNanos() - before.log().forceTimes().totalNanos());
    return forces.count() == 0 ? "-" : Figures.time(Duration.ofNanos(forces.nanos(share)));
  }

  /// The share of reads that found their leaf in memory.
  String hitShare() {
    long hits = rise(of -> of.cache().hits());
    return Figures.percent(hits, hits + rise(of -> of.cache().misses()));
  }
}
