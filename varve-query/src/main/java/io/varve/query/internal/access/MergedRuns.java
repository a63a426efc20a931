package io.varve.query.internal.access;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Several sorted runs as one.
final class MergedRuns implements SortedRun {
  private final List<? extends SortedRun> runs;
  private final PriorityQueue<SortedRun> heads;
  private @Nullable SortedRun current;
  private boolean isStarted;

  MergedRuns(List<? extends SortedRun> runs) {
    this.runs = runs;
    this.heads =
        new PriorityQueue<>(
            Math.max(1, runs.size()),
            Comparator.comparing(SortedRun::key, Arrays::compareUnsigned));
  }

  @Override
  public boolean next() {
    if (!isStarted) {
      isStarted = true;
      runs.forEach(this::advance);
    } else if (current != null) {
      advance(current);
    }
    current = heads.poll();
    return current != null;
  }

  private void advance(SortedRun run) {
    if (run.next()) {
      heads.add(run);
    }
  }

  private SortedRun current() {
    if (current == null) {
      throw new IllegalStateException("there is no pair here");
    }
    return current;
  }

  @Override
  public byte[] key() {
    return current().key();
  }

  @Override
  public byte[] payload() {
    return current().payload();
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (SortedRun run : runs) {
      try {
        run.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
