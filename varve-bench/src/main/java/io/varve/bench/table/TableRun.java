package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.RowSink;
import java.util.List;

/// One trial of one engine in one table.
///
/// @param type the engine
/// @param plan how large and how long
/// @param directory for its files
/// @param rows takes the figures
/// @param parent the JVM that started this one
public record TableRun(
    EngineType type, Plan plan, ScratchDirectory directory, RowSink rows, Parent parent) {
  /// Length of the values, where a table does not vary it.
  static final int VALUE_BYTES = 100;

  /// This run of another engine.
  TableRun withType(EngineType other) {
    return new TableRun(other, plan, directory, rows, parent);
  }

  /// This run with other thread counts.
  TableRun withThreads(List<Integer> threads) {
    Plan other =
        new Plan(
            threads, plan.batches(), plan.timing(), plan.size(), plan.cacheBytes(), plan.promise());
    return new TableRun(type, other, directory, rows, parent);
  }

  /// This run with another budget for cached data.
  TableRun withCache(long cacheBytes) {
    Plan other =
        new Plan(
            plan.threads(), plan.batches(), plan.timing(), plan.size(), cacheBytes, plan.promise());
    return new TableRun(type, other, directory, rows, parent);
  }

  /// Opens the engine.
  Engine open(ScratchDirectory where, Promise promise, Records records) {
    return type.open(
        new EngineSettings(
            where.path(), promise, plan.cacheBytes(), records.capacity(), records.valueBytes()));
  }
}
