package io.varve.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Row;
import io.varve.bench.report.RowSink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The tables of caches run on every cache, in one JVM, and give finite figures.
class CacheTablesTest {
  static Stream<Arguments> tablesAndCaches() {
    return Stream.of("cache", "pauses")
        .flatMap(table -> Caches.all().stream().map(type -> Arguments.of(table, type.label())));
  }

  @ParameterizedTest
  @MethodSource("tablesAndCaches")
  void tableRunsOnCache(String label, String cache, @TempDir Path directory) {
    Table table = Tables.named(label);
    CacheType type = Caches.named(cache).orElseThrow();
    Plan plan =
        new Plan(List.of(1, 2), List.of(1), Timing.seconds(0, 0.01), 300, 16 << 20, Promise.FAST);
    List<Row> rows = new ArrayList<>();
    try (ScratchDirectory data = ScratchDirectory.claim(directory.resolve("data"))) {
      RowSink sink = RowSink.of(label, cache, rows::add);
      for (Table.Stage stage : table.stages()) {
        stage.run(new TableRun(type, plan, data, sink, new NoParent()));
      }
    }
    assertThat(table.describe(type, plan.promise())).contains("heap: ");
    assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row.value()).isFinite());
  }
}
