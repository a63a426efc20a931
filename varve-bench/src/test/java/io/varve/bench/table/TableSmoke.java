package io.varve.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Row;
import io.varve.bench.report.RowSink;
import io.varve.bench.words.TextsType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every table runs on Varve and its variants, and on every second one of the other engines that it
/// measures; checks the answers, and gives finite figures. Neighbouring tables take different
/// halves, so that each engine runs in many. `-Dvarve.bench.smoke=all` takes all. The tables that
/// take more than one JVM are run by [io.varve.bench.MainTest]. Two classes run half of the tables
/// each, so that two JVMs share what takes a minute and more.
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TableSmoke {
  private static final int SIZE_DIVISOR = 1_000;

  private static final boolean IS_WHOLE = System.getProperty("varve.bench.smoke", "").equals("all");

  /// These differ from another in one setting, or take seconds to start, and run only where a table
  /// names them; so do Varve's variants.
  private static final Set<String> NAMED_ONLY =
      Set.of(
          "rocksdb-zstd",
          "mvstore-lzf",
          "mvstore-deflate",
          "ignite",
          "infinispan-sifs",
          "infinispan-varve",
          "infinispan-single-file",
          "infinispan-rocksdb");

  /// Other stores whose commits a wrapper groups: their tables are those that name them.
  private static final String GROUP_SUFFIX = "-group";

  /// One of each design of group commit.
  private static final Set<String> GROUPINGS =
      Set.of("each", "cooperative-all-1ms", "flusher-1-park");

  /// Tables that collect the heap again and again. They come first: with what other tables leave in
  /// a JVM, classes above all, that took four times as long.
  private static final Set<String> COLLECTING = Set.of("overhead");

  /// Whether a table is one of this class, by its place among those of one JVM.
  abstract boolean isOurs(int number);

  Stream<Arguments> tablesAndEngines() {
    List<Table> tables = Tables.all().stream().filter(table -> table.stages().size() == 1).toList();
    return IntStream.range(0, tables.size())
        .filter(this::isOurs)
        .boxed()
        .sorted(Comparator.comparing(number -> !COLLECTING.contains(tables.get(number).label())))
        .flatMap(number ->
            enginesOf(tables.get(number), number / 2)
                .map(type -> Arguments.of(tables.get(number).label(), type.label())));
  }

  private static Stream<EngineType> enginesOf(Table table, int turn) {
    List<EngineType> measured =
        contestants().filter(table::measures).filter(type -> isSmoked(table, type)).toList();
    return IntStream.range(0, measured.size())
        .filter(place -> IS_WHOLE || (place + turn) % 2 == 0 || isAlways(measured.get(place)))
        .mapToObj(measured::get);
  }

  private static Stream<EngineType> contestants() {
    return Stream.of(Engines.all(), Engines.groupings(), TextsType.ALL).flatMap(List::stream);
  }

  private static boolean isSmoked(Table table, EngineType type) {
    String engine = type.label();
    if (Engines.groupings().contains(type)) {
      return table.label().equals("append") && GROUPINGS.contains(engine);
    }
    return table.engines().contains(engine) || !isNamedOnly(type);
  }

  private static boolean isAlways(EngineType type) {
    return type.label().equals("varve") || isNamedOnly(type) || Engines.groupings().contains(type);
  }

  private static boolean isNamedOnly(EngineType type) {
    String engine = type.label();
    return NAMED_ONLY.contains(engine) || engine.endsWith(GROUP_SUFFIX) || type.isVariant();
  }

  @ParameterizedTest
  @MethodSource("tablesAndEngines")
  void tableRunsOnEngine(String label, String engine, @TempDir Path directory) {
    Table table = Tables.named(label);
    EngineType type =
        contestants().filter(one -> one.label().equals(engine)).findFirst().orElseThrow();
    List<Row> rows = new ArrayList<>();
    try (ScratchDirectory data = ScratchDirectory.claim(directory.resolve("data"))) {
      RowSink sink = RowSink.of(label, engine, rows::add);
      table.stages().getFirst().run(new TableRun(type, tiny(table), data, sink, new NoParent()));
    }
    assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row.value()).isFinite());
  }

  private static Plan tiny(Table table) {
    Plan plan = table.plan();
    return new Plan(
        List.of(1, 2),
        List.of(1, 10),
        Timing.seconds(0, 0.01),
        Math.max(1, plan.size() / SIZE_DIVISOR),
        16 << 20,
        plan.promise());
  }
}
