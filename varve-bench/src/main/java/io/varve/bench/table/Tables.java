package io.varve.bench.table;

import io.varve.bench.people.QueryCases;
import io.varve.bench.words.NodesTable;
import io.varve.bench.words.WordCountTable;
import java.util.List;
import java.util.stream.Collectors;

/// Every table.
public final class Tables {
  private static final List<Table> ALL =
      List.of(
          new CommitTable(),
          new OpsTable(),
          new NosyncTable(),
          new WalTable(),
          new AppendTable(),
          new LargeTable(),
          new HugeTable(),
          new OverflowTable(),
          new RetentionTable(),
          new BlobTable(),
          new OpenTable(),
          new RecoveryTable(),
          new ItemsTable(),
          new CryptoTable(),
          new SizeTable(),
          new QueryCases(),
          new WordCountTable(),
          new NodesTable(),
          new CacheTable(),
          new StoresTable(),
          new OverheadTable(),
          new PausesTable(),
          new OffHeapTable());

  private Tables() {}

  /// Every table, in the order of the documentation.
  public static List<Table> all() {
    return ALL;
  }

  /// The table of that label.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Table named(String label) {
    return ALL.stream()
        .filter(table -> table.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown table: table="
                    + label
                    + "; known are "
                    + ALL.stream().map(Table::label).collect(Collectors.joining(", "))));
  }
}
