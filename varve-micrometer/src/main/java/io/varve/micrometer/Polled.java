package io.varve.micrometer;

import io.micrometer.core.instrument.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The figures of a source, asked for once for all meters that are read within a short time. So a
/// scrape of many meters asks once, and shows figures that fit together.
///
/// A source that does not answer, since it is closed or failed, has the counts of when it last did,
/// and no other figures; it is asked again later. Refers to no source: meters hold it, and they
/// outlive what they measure. Safe for threads: a thread that asks while another one does waits for
/// its figures, so that no count is ever less than one that was given before.
///
/// @param <S> the source
/// @param <F> its figures
final class Polled<S, F> {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Clock clock;
  private final Function<S, F> figures;
  private @Nullable Reading<F> last; // guarded by this

  /// @param figures as of then, or, if the source did not answer then, of when it last did
  private record Reading<F>(F figures, long atNanos, boolean answered) {}

  Polled(Clock clock, Function<S, F> figures) {
    this.clock = clock;
    this.figures = figures;
  }

  /// A figure that only rises.
  double count(S source, ToDoubleFunction<F> figure) {
    Reading<F> reading = read(source);
    return reading == null ? 0 : figure.applyAsDouble(reading.figures);
  }

  /// A figure as of now; none if the source does not answer.
  double gauge(S source, ToDoubleFunction<F> figure) {
    Reading<F> reading = read(source);
    return reading == null || !reading.answered
        ? Double.NaN
        : figure.applyAsDouble(reading.figures);
  }

  private synchronized @Nullable Reading<F> read(S source) {
    Reading<F> before = last;
    long now = clock.monotonicTime();
    if (before != null && now - before.atNanos < FRESH_NANOS) {
      return before;
    }
    Reading<F> reading;
    try {
      reading = new Reading<>(figures.apply(source), now, true);
    } catch (RuntimeException e) {
      // One source that is closed, dropped or failed must not end a scrape of all.
      reading = before == null ? null : new Reading<>(before.figures, now, false);
    }
    last = reading;
    return reading;
  }
}
