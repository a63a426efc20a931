package io.varve.query.internal.access;

import java.util.Arrays;
import java.util.List;

/// The keys that all of several sorted runs have. Each run moves on to the greatest key of the
/// others, so that the shortest one decides how much is read.
final class CommonRun implements SortedRun {
  private final List<SortedRun> runs;
  private final MergedRuns closing;
  private byte[] key = {};

  /// How many runs are on a key.
  private int started = 1;

  /// Whether a run has ended: the others may still be on keys.
  private boolean isOver;

  CommonRun(List<SortedRun> runs) {
    this.runs = runs;
    this.closing = new MergedRuns(runs);
  }

  @Override
  public boolean next() {
    isOver = isOver || !findNext();
    return !isOver;
  }

  private boolean findNext() {
    SortedRun first = runs.getFirst();
    if (!first.next()) {
      return false;
    }
    key = first.key();
    int agreed = 1;
    for (int i = 1; agreed < runs.size(); i = (i + 1) % runs.size()) {
      SortedRun run = runs.get(i);
      if (!isAt(run, i) && !run.advanceTo(key)) {
        return false;
      }
      started = Math.max(started, i + 1);
      if (Arrays.equals(run.key(), key)) {
        agreed++;
      } else {
        key = run.key();
        agreed = 1;
      }
    }
    return true;
  }

  /// Whether a run has moved past lesser keys already.
  private boolean isAt(SortedRun run, int index) {
    return index < started && Arrays.compareUnsigned(run.key(), key) >= 0;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] payload() {
    return runs.getFirst().payload();
  }

  @Override
  public void close() {
    closing.close();
  }
}
