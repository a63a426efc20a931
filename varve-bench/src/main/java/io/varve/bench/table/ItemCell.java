package io.varve.bench.table;

import io.varve.bench.measure.Cell;
import io.varve.bench.measure.CellResult;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.measure.Worker;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.concurrent.atomic.LongAdder;

/// Threads that insert items, each of which commits after so many of its own; if these are very
/// many, after so many of all threads together, since a commit is one of all threads.
///
/// @param threads how many
/// @param kind of threads
/// @param batch changes per commit
record ItemCell(int threads, ThreadKind kind, int batch) {
  /// From here on threads do not each have that many changes of their own within a cell.
  private static final int VERY_MANY = 10_000;

  void run(ItemChanges changes, Timing timing, double forceRate, RowSink rows) {
    Commits commits = new Commits();
    int own = batch >= VERY_MANY ? Math.max(1, batch / threads) : batch;
    CellResult result =
        Cell.latency(
            threads,
            kind,
            timing,
            commits,
            index -> new Inserter(changes.session(index, own), own, commits.made));
    double commitRate = commits.count() * 1e9 / result.nanos();
    String caseName = "commit of " + batch + " " + kind.label();
    rows.accept(caseName, threads, Metric.RATE, result.rate());
    rows.accept("commits: " + caseName, threads, Metric.RATE, commitRate);
    if (forceRate > 0) {
      rows.accept("commits: " + caseName, threads, Metric.SHARE, 100 * commitRate / forceRate);
    }
    changes.check();
  }

  private static final class Inserter implements Worker {
    private final ItemChanges.Session session;
    private final int own;
    private final LongAdder commits;
    private int inserted;

    Inserter(ItemChanges.Session session, int own, LongAdder commits) {
      this.session = session;
      this.own = own;
      this.commits = commits;
    }

    @Override
    public void step() {
      session.insert();
      if (++inserted == own) {
        inserted = 0;
        session.commit();
        commits.increment();
      }
    }

    @Override
    public void close() {
      session.close();
    }
  }

  /// Commits within the time measured.
  private static final class Commits implements Cell.Observer {
    final LongAdder made = new LongAdder();
    private long before;
    private long after;

    @Override
    public void begins() {
      before = made.sum();
    }

    @Override
    public void ends() {
      after = made.sum();
    }

    long count() {
      return after - before;
    }
  }
}
