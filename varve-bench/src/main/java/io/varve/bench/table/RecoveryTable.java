package io.varve.bench.table;

import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How the time to open after a kill grows with the data: three stores, the largest of the plan's
/// size and the others a tenth and four tenths of it.
final class RecoveryTable implements Table {
  private static final int VALUE_BYTES = 1_000;
  private static final List<Integer> TENTHS = List.of(1, 4, 10);

  @Override
  public String label() {
    return "recovery";
  }

  @Override
  public String description() {
    return "open and first answer after a kill -9 during a load, by size of the data; values of "
        + VALUE_BYTES
        + " bytes in commits of "
        + KilledLoad.BATCH
        + ", the largest store of --size megabytes";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "lmdb", "mvstore", "xodus", "infinispan-sifs");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1),
        List.of(KilledLoad.BATCH),
        Timing.seconds(0, 0),
        10_000,
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
    List<Stage> stages = new ArrayList<>();
    for (int tenths : TENTHS) {
      stages.add(run -> load(run, tenths).load(run));
      stages.add(run -> load(run, tenths).open(run));
    }
    return List.copyOf(stages);
  }

  private static KilledLoad load(TableRun run, int tenths) {
    long bytes = run.plan().size() * 1_000_000L * tenths / 10;
    int records = Math.toIntExact(bytes / (EngineSettings.KEY_BYTES + VALUE_BYTES));
    return new KilledLoad(bytes / 1_000_000 + " MB", VALUE_BYTES, records);
  }
}
