package io.varve.bench.table;

/// The tables of even numbers, the first of which is 0.
class TableSmokeEvenTest extends TableSmoke {
  @Override
  boolean isOurs(int number) {
    return number % 2 == 0;
  }
}
