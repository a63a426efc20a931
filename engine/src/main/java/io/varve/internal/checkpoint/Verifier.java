package io.varve.internal.checkpoint;

import io.varve.ProgressListener;
import io.varve.Verification;
import io.varve.Visibility;
import io.varve.internal.cache.Pages;
import io.varve.internal.file.ExtentSet;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Node;
import io.varve.internal.tree.TreeVerifier;
import io.varve.internal.txn.Lifecycle;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.SpaceCore;
import java.util.ArrayList;
import java.util.List;

/// Verifies a store as of one point of the commit order, while it is in use. A close of the store
/// ends that: what is not read by then is no finding.
public final class Verifier {
  /// Findings beyond this many add nothing new.
  private static final int PROBLEMS_MAX = 100;

  private final Pages pages;
  private final Snapshots snapshots;
  private final Lifecycle lifecycle;
  private final List<String> problems = new ArrayList<>();
  private final ExtentSet met = new ExtentSet();
  private final ProgressListener listener;
  private final long liveBytes;
  private long bytesDone;

  public Verifier(
      Pages pages, Snapshots snapshots, Lifecycle lifecycle, ProgressListener listener) {
    this.pages = pages;
    this.snapshots = snapshots;
    this.lifecycle = lifecycle;
    this.listener = listener;
    this.liveBytes = pages.file().extents().liveBytes();
  }

  private void report(String problem) {
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(problem);
    }
  }

  /// Whether an extent past the end of the file was given out: its image is in a buffer.
  private boolean waitsToBeWritten(long extent) {
    long end = (Extent.unit(extent) + Extent.units(extent)) * Extent.UNIT_BYTES;
    return end <= pages.file().extents().endBytes();
  }

  private void meet(long extent) {
    lifecycle.requireOpen();
    if (!pages.file().contains(extent) && !waitsToBeWritten(extent)) {
      report(
          "extent beyond the file: file=" + pages.file().where() + ", " + Extent.describe(extent));
    } else if (!met.add(extent)) {
      report("extent used twice: file=" + pages.file().where() + ", " + Extent.describe(extent));
    }
    bytesDone += (long) Extent.units(extent) * Extent.UNIT_BYTES;
    listener.progress(bytesDone, Math.max(bytesDone, liveBytes));
  }

  /// Verifies the trees of a snapshot.
  public Verification verify(List<SpaceCore> spaces) {
    try (var snapshot = snapshots.take(Visibility.APPLIED)) {
      return verify(spaces, snapshot.epoch());
    }
  }

  /// Verifies the trees of the checkpoint just written, and that what they use matches the accounts
  /// of extents. No checkpoint may run concurrently.
  ///
  /// @param dropped what is left of spaces that were dropped, which counts for the accounts alone
  /// @param epoch of that checkpoint, held; released here
  public Verification verifyWithAccounts(
      List<SpaceCore> spaces, List<SpaceCore> dropped, long epoch) {
    try {
      verify(dropped, epoch);
      Verification trees = verify(spaces, epoch);
      met.compareWith(
          pages.file().extents(),
          (what, unit) ->
              report(
                  what
                      + ": file="
                      + pages.file().where()
                      + ", offset="
                      + unit * Extent.UNIT_BYTES));
      return new Verification(
          problems,
          trees.spaces(),
          trees.pages(),
          trees.entries(),
          trees.liveBytes(),
          trees.freeBytes());
    } finally {
      snapshots.release(epoch);
    }
  }

  /// Verifies the trees as of an epoch that is held.
  ///
  /// @throws io.varve.StoreClosedException if the store is closed during that
  public Verification verify(List<SpaceCore> spaces, long epoch) {
    TreeVerifier verifier = new TreeVerifier(pages, this::report, this::meet);
    int present = 0;
    for (SpaceCore space : spaces) {
      Node root = space.tree().rootAt(epoch);
      if (root != null) {
        verifier.verify(space.name(), root);
        present++;
      }
    }
    lifecycle.requireOpen();
    PageFile file = pages.file();
    return new Verification(
        problems,
        present,
        verifier.pageCount(),
        verifier.entryCount(),
        met.bytes(),
        file.extents().freeBytes() + file.extents().retiredBytes());
  }
}
