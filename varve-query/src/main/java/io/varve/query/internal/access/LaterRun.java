package io.varve.query.internal.access;

import java.util.Arrays;

/// A sorted run from after a key on.
final class LaterRun implements SortedRun {
  private final SortedRun run;
  private final byte[] after;
  private boolean isStarted;

  LaterRun(SortedRun run, byte[] after) {
    this.run = run;
    this.after = after;
  }

  @Override
  public boolean next() {
    if (isStarted) {
      return run.next();
    }
    isStarted = true;
    return run.advanceTo(Arrays.copyOf(after, after.length + 1));
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
