package io.varve.bench.table;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Timing;
import java.util.List;
import java.util.Optional;

/// How long a store takes to open after its process was killed while it wrote, and whether all that
/// it acknowledged is there.
final class OpenTable implements Table {
  @Override
  public String label() {
    return "open";
  }

  @Override
  public String description() {
    return "open and first answer after a kill -9 during a load, in commits of "
        + KilledLoad.BATCH
        + "; the engine's classes and libraries are loaded before";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "lmdb", "mvstore", "xodus");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1),
        List.of(KilledLoad.BATCH),
        Timing.seconds(0, 0),
        1_000_000,
        512L << 20,
        Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.OS);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of(KilledLoad.LEFT_OUT);
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.COMMIT_TO_OS);
  }

  @Override
  public List<Stage> stages() {
    return List.of(run -> load(run).load(run), run -> load(run).open(run));
  }

  private static KilledLoad load(TableRun run) {
    return new KilledLoad("", TableRun.VALUE_BYTES, run.plan().size());
  }
}
