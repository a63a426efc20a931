package io.varve.query.internal.access;

import java.util.function.Function;

/// What it takes to read the rows of a path, where reading a row in a scan takes one.
///
/// @param get of a row by its key: [#ROW_GET] or [#OBJECT_GET]
/// @param table the pages of the table
/// @param indexes those of an index
record PathCosts(double get, ColdPages table, Function<IndexForm, ColdPages> indexes) {
  /// What it takes to get a row of a table.
  static final double ROW_GET = 4;

  /// What it takes to get an object of a map or a cache: a scan gets each of them as well.
  static final double OBJECT_GET = 1;

  private static final double ENTRY_COST = 0.2;
  private static final double KEY_SORT_COST = 0.5;

  /// What it takes to load a leaf that the operating system has in memory: a row of a scan takes
  /// 0.32 us, a load 8 us.
  private static final double LOAD_COST = 25;

  /// Those of pages that are in memory.
  static PathCosts inMemory(double get) {
    return new PathCosts(get, ColdPages.NONE, _ -> ColdPages.NONE);
  }

  /// What it takes to read a part of the rows of a path.
  double rows(AccessPath path, double share) {
    return switch (path) {
      case AccessPath.Nothing _ -> 0;
      case AccessPath.Keys keys -> scan(keys.rows() * share);
      case AccessPath.Entries entries ->
          (entries.mayRepeat() ? keys(entries, share) : entries(entries, share))
              + gets(entries.rows() * share);
      case AccessPath.Intersection both -> keys(both, share) + gets(both.rows() * share);
      case AccessPath.Union either -> keys(either, share) + gets(either.rows() * share);
    };
  }

  /// What it takes to read a part of the keys of a path in order.
  double keys(AccessPath path, double share) {
    return switch (path) {
      case AccessPath.Nothing _ -> 0;
      case AccessPath.Keys keys -> scan(keys.rows() * share);
      case AccessPath.Entries entries ->
          entries(entries, share)
              + (entries.isKeySorted() ? 0 : entries.rows() * share * KEY_SORT_COST);
      case AccessPath.Intersection both ->
          both.paths().stream().mapToDouble(each -> keys(each, share)).sum();
      case AccessPath.Union either ->
          either.paths().stream().mapToDouble(each -> keys(each, share)).sum();
    };
  }

  /// What it takes to get rows by their keys.
  double gets(double rows) {
    return rows * get + table.ofPoints(rows) * LOAD_COST;
  }

  private double scan(double rows) {
    return rows + table.ofRun(rows) * LOAD_COST;
  }

  private double entries(AccessPath.Entries entries, double share) {
    double count = entries.rows() * share;
    return count * ENTRY_COST + indexes.apply(entries.index()).ofRun(count) * LOAD_COST;
  }
}
