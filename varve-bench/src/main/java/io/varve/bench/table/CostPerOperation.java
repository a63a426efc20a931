package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.ProcessWork;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;

/// What the operations of a cell cost in addition to time: pages loaded, bytes read and written,
/// time on a core.
final class CostPerOperation implements Cell.Observer {
  private final Engine engine;
  private ProcessWork workBefore = ProcessWork.now();
  private ProcessWork work = workBefore;
  private long loadsBefore;
  private long loads;

  CostPerOperation(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void begins() {
    loadsBefore = engine.pageUse().loads();
    workBefore = ProcessWork.now();
  }

  @Override
  public void ends() {
    work = ProcessWork.now().since(workBefore);
    loads = engine.pageUse().loads() - loadsBefore;
  }

  /// Gives the rows of what was done since the cell began, for so many operations.
  void report(RowSink rows, String caseName, int threads, double operations) {
    if (operations == 0) {
      return;
    }
    rows.accept(caseName, threads, Metric.CPU_TIME, work.cpuNanos() / 1e3 / operations);
    rows.accept(caseName, threads, Metric.READ, work.readBytes() / operations);
    rows.accept(caseName, threads, Metric.WRITTEN, work.writtenBytes() / operations);
    if (loads > 0) {
      rows.accept(caseName, threads, Metric.PAGE_LOADS, loads / operations);
    }
  }
}
