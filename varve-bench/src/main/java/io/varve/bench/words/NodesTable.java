package io.varve.bench.words;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.TableRun;
import java.util.List;
import java.util.Optional;

/// Counts words in all of a cluster, whose nodes are processes of this machine.
public final class NodesTable implements Table {
  private static final int VALUE_BYTES = 8 << 10;

  /// Makes the table.
  public NodesTable() {}

  @Override
  public String label() {
    return "nodes";
  }

  @Override
  public String description() {
    return "words counted in values of 8 KB in all of a cluster: MB of text a second by all cores,"
        + " and CPU time of all nodes; --threads is the number of nodes";
  }

  @Override
  public List<String> engines() {
    return TextsType.CLUSTERS.stream().map(EngineType::label).toList();
  }

  /// The size is in megabytes of text.
  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2, 4), List.of(1), Timing.seconds(4, 8), 32, 64L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: has no nodes");
  }

  @Override
  public List<String> published() {
    return List.of(
        "published: 100 MB/s per node (Infinispan), on machines of their own",
        "all nodes share the cores of one machine: CPU time per MB shows what a node adds");
  }

  @Override
  public List<Stage> stages() {
    return List.of(NodesTable::run);
  }

  private static void run(TableRun run) {
    byte[] text = SampleText.ofBytes(Math.toIntExact(run.plan().size() * CountCell.MEGABYTE));
    List<byte[]> texts = SampleText.pieces(text, VALUE_BYTES);
    for (int nodes : run.plan().threads()) {
      try (ScratchDirectory data = run.directory().inner("nodes-" + nodes);
          Texts counted = ((TextsType) run.type()).open(data.path(), nodes)) {
        new CountCell("values of 8 KB", nodes, texts).count(run, counted);
      }
    }
  }
}
