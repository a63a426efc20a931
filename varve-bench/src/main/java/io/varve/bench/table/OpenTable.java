package io.varve.bench.table;

import java.util.List;

/// How long a store takes to open after its process was killed while it wrote, and whether all that
/// it acknowledged is there.
final class OpenTable extends KilledTable {
  OpenTable() {
    super(1_000_000);
  }

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
  public List<Stage> stages() {
    return List.of(run -> load(run).load(run), run -> load(run).open(run));
  }

  private static KilledLoad load(TableRun run) {
    return new KilledLoad("", TableRun.VALUE_BYTES, run.plan().size());
  }
}
