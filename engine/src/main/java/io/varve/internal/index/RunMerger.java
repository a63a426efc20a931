package io.varve.internal.index;

import io.varve.internal.page.MalformedImageException;
import io.varve.internal.txn.IndexWorkspace;
import io.varve.internal.txn.KeySort;
import io.varve.internal.txn.LiveSpace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The entries of all runs of a workspace in one order, each once. Keeps one block of each run in
/// memory.
///
/// A tree of losers: the run with the least entry was compared with each that is kept between its
/// leaf and the root. (MERGE-1) A run that is kept has a code: how its entry differs from that of
/// the run to which it lost. Two of them may differ from what came before at other places, or by
/// other bytes. Then no entry is looked at (Conner: Offset value coding, IBM Technical Disclosure
/// Bulletin, 1977).
///
/// For one thread at a time.
final class RunMerger {
  /// A code has the number of bytes that are equal, the more the less, and the bytes that follow.
  private static final int VALUE_BYTES = 6;

  private static final int VALUE_BITS = Byte.SIZE * VALUE_BYTES;
  private static final int EQUAL_MAX = 0x7ffe;

  /// The code of a run that has ended: past those of all entries.
  private static final long ENDED = Long.MAX_VALUE;

  private final LiveSpace workspace;
  private final boolean isUnique;
  private final Run[] runs;

  /// The loser of each node of the tree. The children of node n are 2 n and 2 n + 1; the leaves are
  /// numbered after the nodes.
  private final Run[] losers;

  private @Nullable Run winner;
  private int lastBytes;

  /// @param runCount how many runs the workspace has
  /// @param last after which entry to begin; null for the first
  /// @param isUnique whether the index is unique
  RunMerger(LiveSpace workspace, int runCount, byte @Nullable [] last, boolean isUnique) {
    this.workspace = workspace;
    this.isUnique = isUnique;
    this.runs = new Run[runCount];
    this.losers = new Run[runCount];
    for (int number = 0; number < runCount; number++) {
      Run run = new Run(number);
      do {
        run.advance();
      } while (last != null && run.isUpTo(last));
      run.differFrom(0);
      runs[number] = run;
    }
    winner = runCount == 0 ? null : play(1);
  }

  private Run play(int node) {
    if (node >= runs.length) {
      return runs[node - runs.length];
    }
    Run one = play(2 * node);
    Run other = play(2 * node + 1);
    boolean isFirst = wins(one, other);
    losers[node] = isFirst ? other : one;
    return isFirst ? one : other;
  }

  /// The next entry, or null after the last.
  @Nullable GatheredEntry next() {
    while (true) {
      Run run = winner;
      if (run == null || run.code == ENDED) {
        return null;
      }
      int bytes = run.length();
      // It differs from the last one, which it does not precede, after its end: it is equal.
      boolean isLast = bytes == lastBytes && equalBytes(run.code) == bytes;
      GatheredEntry entry = isLast ? null : run.entry(isUnique);
      lastBytes = bytes;
      run.advance();
      Run best = run;
      for (int node = (runs.length + run.number) / 2; node > 0; node /= 2) {
        Run loser = losers[node];
        if (!wins(best, loser)) {
          losers[node] = best;
          best = loser;
        }
      }
      winner = best;
      if (entry != null) {
        return entry;
      }
    }
  }

  private static int equalBytes(long code) {
    return EQUAL_MAX - (int) (code >>> VALUE_BITS);
  }

  /// Whether the entry of a run comes first, of two whose codes are in relation to one entry. The
  /// code of the other one is in relation to that of the winner then (MERGE-1).
  private static boolean wins(Run one, Run other) {
    long difference = one.code ^ other.code;
    if (difference >>> VALUE_BITS != 0 || one.code == ENDED) {
      return one.code < other.code;
    }
    int equal = equalBytes(one.code);
    if (difference != 0) {
      equal += (Long.numberOfLeadingZeros(difference) - (Long.SIZE - VALUE_BITS)) / Byte.SIZE;
      boolean isFirst = one.code < other.code;
      // The code of the first continues with zeros where its entry has ended.
      int firstBytes = isFirst ? one.length() : other.length();
      (isFirst ? other : one).differFrom(Math.min(equal, firstBytes));
      return isFirst;
    }
    int from = Math.min(equal + VALUE_BYTES, Math.min(one.length(), other.length()));
    int mismatch =
        Arrays.mismatch(
            one.block, one.from + from, one.end, other.block, other.from + from, other.end);
    if (mismatch < 0) {
      other.differFrom(other.length());
      return true;
    }
    int at = from + mismatch;
    boolean isFirst =
        at == one.length()
            || (at < other.length()
                && (one.block[one.from + at] & 0xff) < (other.block[other.from + at] & 0xff));
    (isFirst ? other : one).differFrom(at);
    return isFirst;
  }

  /// One run, at one of its entries.
  private final class Run {
    private final int number;
    private int nextBlock;
    private byte[] block = {};

    /// Where the bytes of the entry are.
    private int from;

    private int end;
    private int prefixBytes;
    private long code;

    Run(int number) {
      this.number = number;
    }

    int length() {
      return end - from;
    }

    GatheredEntry entry(boolean isUnique) {
      return new GatheredEntry(block, from, end, prefixBytes, isUnique);
    }

    boolean isUpTo(byte[] last) {
      return code != ENDED && Arrays.compareUnsigned(block, from, end, last, 0, last.length) <= 0;
    }

    /// Goes to the next entry. The code is in relation to the one before.
    void advance() {
      byte[] before = block;
      int beforeFrom = from;
      int beforeEnd = end;
      int at = end;
      if (at == block.length) {
        byte[] value = workspace.get(IndexWorkspace.block(number, nextBlock));
        if (value == null) {
          code = ENDED;
          return;
        }
        nextBlock++;
        block = value;
        at = 0;
      }
      MalformedImageException.require(EntryBlock.isEntry(block, at), "impossible entry");
      from = EntryBlock.entryAt(at);
      end = EntryBlock.end(block, at);
      prefixBytes = EntryBlock.prefixBytes(block, at);
      int mismatch = Arrays.mismatch(before, beforeFrom, beforeEnd, block, from, end);
      differFrom(mismatch < 0 ? length() : mismatch);
    }

    /// Sets the code.
    ///
    /// @param equal how many bytes are those of the other entry
    void differFrom(int equal) {
      if (code != ENDED) {
        long value = KeySort.head(block, from + equal, end) >>> (Long.SIZE - VALUE_BITS);
        code = (long) (EQUAL_MAX - equal) << VALUE_BITS | value;
      }
    }
  }
}
