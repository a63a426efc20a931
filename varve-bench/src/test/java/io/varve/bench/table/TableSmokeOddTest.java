package io.varve.bench.table;

/// The tables of odd numbers, the first of which is 0.
class TableSmokeOddTest extends TableSmoke {
  @Override
  boolean isOurs(int number) {
    return number % 2 == 1;
  }
}
