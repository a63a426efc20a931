package io.varve.bench.table;

import io.varve.bench.engine.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/// How the time to open after a kill grows with the data: three stores, the largest of the plan's
/// size and the others a tenth and four tenths of it.
final class RecoveryTable extends KilledTable {
  private static final int VALUE_BYTES = 1_000;
  private static final List<Integer> TENTHS = List.of(1, 4, 10);

  RecoveryTable() {
    super(10_000);
  }

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
