package io.varve.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Registers the meters of one source. They refer to it weakly: their functions must not refer to
/// this, which does not.
///
/// @param <S> the source
/// @param <F> its figures
final class Meters<S, F> {
  private final MeterRegistry registry;
  private final S source;
  private final Tags tags;
  private final Polled<S, F> polled;
  private final List<Meter> registered;

  /// What the registry had before. A registration of a name and tags that are there returns the
  /// meter of another source, which is not this one's to remove.
  private final Set<Meter> others;

  Meters(MeterRegistry registry, S source, Iterable<Tag> tags, Function<S, F> figures) {
    this.registry = registry;
    this.source = source;
    this.tags = Tags.of(tags);
    this.polled = new Polled<>(registry.config().clock(), figures);
    this.registered = new ArrayList<>();
    this.others = Collections.newSetFromMap(new IdentityHashMap<>());
    others.addAll(registry.getMeters());
  }

  /// The same, with one more tag.
  private Meters(Meters<S, F> other, Tags tags) {
    this.registry = other.registry;
    this.source = other.source;
    this.tags = tags;
    this.polled = other.polled;
    this.registered = other.registered;
    this.others = other.others;
  }

  Meters<S, F> tagged(String key, String value) {
    return new Meters<>(this, tags.and(key, value));
  }

  /// What was registered so far, under any tags, for this source.
  List<Meter> registered() {
    return List.copyOf(registered);
  }

  private void keep(Meter meter) {
    if (!others.contains(meter)) {
      registered.add(meter);
    }
  }

  /// A number of things that only rises.
  void counter(String name, String description, ToDoubleFunction<F> figure) {
    counter(name, null, description, figure);
  }

  /// A number of bytes that only rises.
  void bytesCounter(String name, String description, ToDoubleFunction<F> figure) {
    counter(name, BaseUnits.BYTES, description, figure);
  }

  /// A time that only rises.
  void secondsCounter(String name, String description, ToLongFunction<F> nanos) {
    counter(name, "seconds", description, of -> nanos.applyAsLong(of) / 1e9);
  }

  private void counter(
      String name, @Nullable String unit, String description, ToDoubleFunction<F> figure) {
    Polled<S, F> readings = polled;
    keep(
        FunctionCounter.builder(name, source, of -> readings.count(of, figure))
            .tags(tags)
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  /// A number of things as of now.
  void gauge(String name, String description, ToDoubleFunction<F> figure) {
    gauge(name, null, description, figure);
  }

  /// A number of bytes as of now.
  void bytesGauge(String name, String description, ToDoubleFunction<F> figure) {
    gauge(name, BaseUnits.BYTES, description, figure);
  }

  private void gauge(
      String name, @Nullable String unit, String description, ToDoubleFunction<F> figure) {
    Polled<S, F> readings = polled;
    keep(
        Gauge.builder(name, source, of -> readings.gauge(of, figure))
            .tags(tags)
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  /// A time as of now.
  void timeGauge(String name, String description, ToDoubleFunction<F> nanos) {
    Polled<S, F> readings = polled;
    keep(
        TimeGauge.builder(name, source, TimeUnit.NANOSECONDS, of -> readings.gauge(of, nanos))
            .tags(tags)
            .description(description)
            .register(registry));
  }

  /// How often something took how long altogether.
  void timer(
      String name, String description, ToLongFunction<F> count, ToDoubleFunction<F> totalNanos) {
    Polled<S, F> readings = polled;
    keep(
        FunctionTimer.builder(
                name,
                source,
                of -> (long) readings.count(of, count::applyAsLong),
                of -> readings.count(of, totalNanos),
                TimeUnit.NANOSECONDS)
            .tags(tags)
            .description(description)
            .register(registry));
  }
}
