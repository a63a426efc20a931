package io.varve.bench.table;

import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.cache.StorageMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A table of caches of objects in some of their modes.
abstract class ModesTable implements Table {
  /// The modes of a cache that are measured, in order.
  abstract List<StorageMode> modes(CacheType type);

  static boolean isVarve(CacheType type) {
    return type.label().equals(VarveLabels.VARVE);
  }

  static String name(StorageMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /// A key of ten characters.
  static String key(int entry) {
    String digits = Integer.toString(entry);
    return "k" + "0".repeat(9 - digits.length()) + digits;
  }

  @Override
  public final List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.FAST);
  }

  @Override
  public final String describe(EngineType type, Promise promise) {
    CacheType cache = Caches.of(type).orElseThrow();
    return modes(cache).stream()
        .map(mode -> name(mode) + ": " + cache.describe(mode))
        .collect(Collectors.joining("; "));
  }

  @Override
  public final Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: is no cache");
  }

  @Override
  public final boolean measures(EngineType type) {
    return Caches.of(type).isPresent();
  }
}
