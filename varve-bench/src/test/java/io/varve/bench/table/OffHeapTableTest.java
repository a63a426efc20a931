package io.varve.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Row;
import io.varve.bench.report.RowSink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table of pages outside of the heap runs, in one JVM, and gives finite figures for each case.
class OffHeapTableTest {
  private static final int CASES = 12;
  private static final int METRICS = 4;

  @Test
  void tableRunsOnVarve(@TempDir Path directory) {
    Table table = Tables.named("offheap");
    EngineType type =
        Engines.all().stream()
            .filter(each -> each.label().equals(VarveLabels.VARVE))
            .findFirst()
            .orElseThrow();
    Plan plan =
        new Plan(List.of(1), List.of(1), Timing.seconds(0, 0.01), 300, 2 << 20, Promise.FAST);
    List<Row> rows = new ArrayList<>();
    try (ScratchDirectory data = ScratchDirectory.claim(directory.resolve("data"))) {
      RowSink sink = RowSink.of("offheap", type.label(), rows::add);
      for (Table.Stage stage : table.stages()) {
        stage.run(new TableRun(type, plan, data, sink, new NoParent()));
      }
    }
    assertThat(rows).hasSize(CASES * METRICS).allSatisfy(row -> assertThat(row.value()).isFinite());
  }
}
