package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;

/// Fills an empty store.
final class Loader {
  private Loader() {}

  /// Inserts records 0 to `count`, `batch` per commit.
  ///
  /// @return the nanoseconds it took
  static long load(Engine engine, Records records, int count, int batch) {
    long begin = System.nanoTime();
    try (var session = new RecordSession(records, engine.session())) {
      for (int record = 0; record < count; ) {
        session.beginBatch();
        int end = Math.min(count, record + batch);
        for (; record < end; record++) {
          session.addInsert(record);
        }
        session.commitBatch();
      }
    }
    long nanos = System.nanoTime() - begin;
    records.loaded(count);
    return nanos;
  }
}
