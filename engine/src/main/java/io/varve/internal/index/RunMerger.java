package io.varve.internal.index;

import io.varve.internal.txn.IndexWorkspace;
import io.varve.internal.txn.KeySort;
import io.varve.internal.txn.LiveSpace;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// The entries of all runs of a workspace in one order, each once. Keeps one block of each run in
/// memory.
///
/// For one thread.
final class RunMerger {
  private final PriorityQueue<Run> runs = new PriorityQueue<>();
  private byte @Nullable [] last;

  /// @param runCount how many runs the workspace has
  /// @param last after which entry to begin; null for the first
  RunMerger(LiveSpace workspace, int runCount, byte @Nullable [] last) {
    this.last = last;
    for (int number = 0; number < runCount; number++) {
      Run run = new Run(workspace, number);
      if (run.advance()) {
        runs.add(run);
      }
    }
  }

  /// The next entry, or null after the last.
  @Nullable GatheredEntry next() {
    while (true) {
      Run run = runs.poll();
      if (run == null) {
        return null;
      }
      GatheredEntry entry = run.current;
      if (run.advance()) {
        runs.add(run);
      }
      if (last == null || Arrays.compareUnsigned(entry.bytes(), last) > 0) {
        last = entry.bytes();
        return entry;
      }
    }
  }

  /// One run, at one of its entries.
  private static final class Run implements Comparable<Run> {
    private static final GatheredEntry NONE = new GatheredEntry(new byte[0], 0);

    private final LiveSpace workspace;
    private final int number;
    private int nextBlock;
    private EntryBlock block = EntryBlock.of(new byte[0]);
    private GatheredEntry current = NONE;

    /// The first bytes of the entry, in their order as a number: what most comparisons look at.
    private long head;

    Run(LiveSpace workspace, int number) {
      this.workspace = workspace;
      this.number = number;
    }

    /// @return false at the end
    boolean advance() {
      GatheredEntry entry = block.next();
      while (entry == null) {
        byte[] value = workspace.get(IndexWorkspace.block(number, nextBlock));
        if (value == null) {
          return false;
        }
        nextBlock++;
        block = EntryBlock.of(value);
        entry = block.next();
      }
      current = entry;
      head = KeySort.head(entry.bytes(), 0);
      return true;
    }

    @Override
    public int compareTo(Run other) {
      return head != other.head
          ? Long.compare(head, other.head)
          : Arrays.compareUnsigned(current.bytes(), other.current.bytes());
    }
  }
}
