package io.varve.bench;

import io.varve.bench.report.Row;
import io.varve.bench.table.Parent;
import java.io.PrintWriter;

/// What a child reports to its parent: lines on standard output with marks that set them apart from
/// what a library prints.
final class ChildMessages implements Parent {
  static final String ROW = "@row ";
  static final String ACKNOWLEDGED = "@acknowledged ";
  static final String KILL = "@kill";

  private final PrintWriter out;
  private final long acknowledgedBefore;

  /// Reports to the reader of `out`.
  ///
  /// @param acknowledgedBefore what an earlier stage has reported last
  ChildMessages(PrintWriter out, long acknowledgedBefore) {
    this.out = out;
    this.acknowledgedBefore = acknowledgedBefore;
  }

  void row(Row row) {
    tell(ROW + row.toCsv());
  }

  @Override
  public void acknowledged(long records) {
    tell(ACKNOWLEDGED + records);
  }

  @Override
  public long acknowledged() {
    return acknowledgedBefore;
  }

  @Override
  public void kill() {
    tell(KILL);
  }

  private void tell(String line) {
    out.println(line);
    out.flush();
  }
}
