package io.varve.cli.transfer;

import io.varve.cli.transfer.BatchLoader.Totals;
import org.jspecify.annotations.Nullable;

/// A load that a signal may end while another thread feeds it. What was taken until then is
/// committed, all of it: a whole prefix of the input.
public final class LoadRun {
  private final BatchLoader loader;

  /// Guarded by this.
  private long taken;

  /// Guarded by this.
  private boolean hasEnded;

  /// Makes a run.
  public LoadRun(BatchLoader loader) {
    this.loader = loader;
  }

  /// Takes the next entry of the input.
  ///
  /// @return false if the load has ended; then the entry is not taken
  public synchronized boolean add(Incoming incoming) {
    if (hasEnded) {
      return false;
    }
    loader.add(incoming);
    taken++;
    return true;
  }

  /// Commits what was taken.
  ///
  /// @return null if the load has ended before
  /// @throws io.varve.VarveException if a batch failed
  public synchronized @Nullable Totals end() {
    if (hasEnded) {
      return null;
    }
    hasEnded = true;
    return loader.finish();
  }

  /// How many entries of the input were taken.
  public synchronized long taken() {
    return taken;
  }
}
