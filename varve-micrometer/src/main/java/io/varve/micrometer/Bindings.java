package io.varve.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The meters of one source by the registry that has them. Safe for threads.
final class Bindings {
  private final Map<MeterRegistry, List<Meter>> bound = new ConcurrentHashMap<>();

  /// Keeps what was registered, in addition to what was before.
  void add(MeterRegistry registry, Meters<?, ?> meters) {
    bound.merge(registry, meters.registered(), Bindings::both);
  }

  private static List<Meter> both(List<Meter> some, List<Meter> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /// Removes from a registry what was registered there.
  void removeFrom(MeterRegistry registry) {
    List<Meter> meters = bound.remove(registry);
    if (meters != null) {
      meters.forEach(registry::remove);
    }
  }
}
