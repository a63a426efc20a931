package io.varve.bench;

import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.people.PeopleType;
import io.varve.bench.words.TextsType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that can be measured: stores, caches that are no stores, what finds persons, and what counts
/// words.
final class Contestants {
  private Contestants() {}

  /// All of them, Varve first.
  static List<EngineType> all() {
    Stream<CacheType> caches =
        Caches.all().stream().filter(cache -> Engines.find(cache.label()).isEmpty());
    return Stream.of(
            Engines.all().stream(), caches, PeopleType.ALL.stream(), TextsType.ALL.stream())
        .<EngineType>flatMap(Function.identity())
        .toList();
  }

  /// The one of that label.
  ///
  /// @throws IllegalArgumentException if there is none
  static EngineType named(String label) {
    Optional<EngineType> found = Engines.find(label);
    return found
        .or(() -> Caches.named(label))
        .or(() -> PeopleType.find(label))
        .or(() -> TextsType.find(label))
        .orElseThrow(() -> unknown(label));
  }

  private static IllegalArgumentException unknown(String label) {
    String known = all().stream().map(EngineType::label).collect(Collectors.joining(", "));
    return new IllegalArgumentException("unknown engine: engine=" + label + "; known are " + known);
  }
}
