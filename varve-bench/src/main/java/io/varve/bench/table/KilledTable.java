package io.varve.bench.table;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Timing;
import java.util.List;
import java.util.Optional;

/// A table of opens after a kill: of engines whose commits survive the death of the process.
abstract class KilledTable implements Table {
  private static final long CACHE_BYTES = 512L << 20;

  /// The plan's size unless the user names another.
  private final int size;

  KilledTable(int size) {
    this.size = size;
  }

  @Override
  public final Plan plan() {
    return new Plan(
        List.of(1), List.of(KilledLoad.BATCH), Timing.seconds(0, 0), size, CACHE_BYTES, Promise.OS);
  }

  @Override
  public final List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.OS);
  }

  @Override
  public final Optional<String> leavesOut(EngineType type) {
    return measures(type)
        ? Optional.empty()
        : Optional.of("all: has no commit that survives the death of the process");
  }

  @Override
  public final boolean measures(EngineType type) {
    return type.features().contains(Feature.COMMIT_TO_OS);
  }
}
