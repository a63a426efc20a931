package io.varve.bench;

import io.varve.bench.measure.DeviceLimits;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Row;
import io.varve.bench.report.RowSink;
import java.util.function.Consumer;

/// Measures the limits of the machine, before any store.
record DeviceTrial(ScratchDirectory data, boolean quick) {
  static final String TABLE = "device";
  static final String ENGINE = "raw";

  private static final long FILE_BYTES = 1L << 30;
  private static final long QUICK_FILE_BYTES = 64L << 20;

  void run(Consumer<Row> rows) {
    Timing timing = quick ? Timing.seconds(0.02, 0.1) : Timing.seconds(0.3, 1);
    try (ScratchDirectory directory = data.inner(TABLE)) {
      new DeviceLimits(
              directory,
              quick ? QUICK_FILE_BYTES : FILE_BYTES,
              timing,
              RowSink.of(TABLE, ENGINE, rows))
          .measure();
    }
  }
}
