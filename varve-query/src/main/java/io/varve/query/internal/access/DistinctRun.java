package io.varve.query.internal.access;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A sorted run with each key once.
final class DistinctRun implements SortedRun {
  private final SortedRun run;
  private byte @Nullable [] last;

  DistinctRun(SortedRun run) {
    this.run = run;
  }

  @Override
  public boolean next() {
    while (run.next()) {
      byte[] key = run.key();
      if (last == null || !Arrays.equals(last, key)) {
        last = key;
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] key() {
    return run.key();
  }

  @Override
  public byte[] payload() {
    return run.payload();
  }

  @Override
  public void close() {
    run.close();
  }
}
