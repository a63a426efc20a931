package io.varve.micrometer;

import io.micrometer.core.instrument.Clock;
import io.varve.StoreClosedException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The figures of a source, asked for once for all meters that are read within a moment, so that a
/// scrape of many meters asks once, and shows figures that fit together.
///
/// A source that is closed has its last counts for good, and no other figures. Refers to no source:
/// meters hold it, and they outlive what they measure. Safe for threads: two that ask at the same
/// time get figures of about that time.
///
/// @param <S> the source
/// @param <F> its figures
final class Polled<S, F> {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Clock clock;
  private final Function<S, F> figures;
  private volatile @Nullable Reading<F> last;

  /// @param open whether the source was open then
  private record Reading<F>(F figures, long atNanos, boolean open) {}

  Polled(Clock clock, Function<S, F> figures) {
    this.clock = clock;
    this.figures = figures;
  }

  /// A figure that only rises.
  double count(S source, ToDoubleFunction<F> figure) {
    Reading<F> reading = read(source);
    return reading == null ? 0 : figure.applyAsDouble(reading.figures);
  }

  /// A figure as of now; none if the source is closed.
  double gauge(S source, ToDoubleFunction<F> figure) {
    Reading<F> reading = read(source);
    return reading == null || !reading.open ? Double.NaN : figure.applyAsDouble(reading.figures);
  }

  private @Nullable Reading<F> read(S source) {
    Reading<F> before = last;
    long now = clock.monotonicTime();
    if (before != null && (!before.open || now - before.atNanos < FRESH_NANOS)) {
      return before;
    }
    Reading<F> reading;
    try {
      reading = new Reading<>(figures.apply(source), now, true);
    } catch (StoreClosedException | IllegalStateException e) {
      // Closed or dropped, which is for good: what was counted stays.
      reading = before == null ? null : new Reading<>(before.figures, now, false);
    }
    last = reading;
    return reading;
  }
}
