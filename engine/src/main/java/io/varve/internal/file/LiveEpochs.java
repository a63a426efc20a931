package io.varve.internal.file;

import java.util.Arrays;
import java.util.Collection;

/// The closed epochs that snapshots, backups and the running checkpoint show, at one time.
/// Immutable.
///
/// They ascend over pieces of bounded length, so that one that comes or goes makes one or two
/// pieces and the list of pieces again. It shares the rest: with thousands of open snapshots
/// another one costs about as much as the first.
public final class LiveEpochs {
  /// No closed epoch is live.
  public static final LiveEpochs NONE = new LiveEpochs(new long[0][]);

  /// What [#oldest()] gives when no closed epoch is live.
  public static final long NONE_LIVE = Long.MAX_VALUE;

  /// The most epochs in a piece.
  static final int PIECE_MAX = 128;

  /// None is empty.
  private final long[][] pieces;

  private LiveEpochs(long[][] pieces) {
    this.pieces = pieces;
  }

  /// The epochs given.
  public static LiveEpochs of(Collection<Long> epochs) {
    LiveEpochs live = NONE;
    for (long epoch : epochs) {
      live = live.plus(epoch);
    }
    return live;
  }

  /// These and an epoch that is not among them.
  public LiveEpochs plus(long epoch) {
    int at = pieceOf(epoch);
    if (at < 0) {
      return replaced(0, 0, new long[] {epoch});
    }
    long[] piece = pieces[at];
    if (piece.length < PIECE_MAX) {
      return replaced(at, 1, inserted(piece, epoch));
    }
    if (epoch > piece[piece.length - 1]) {
      return replaced(at + 1, 0, new long[] {epoch}); // what comes in order leaves full pieces
    }
    long[] low = Arrays.copyOf(piece, PIECE_MAX / 2);
    long[] high = Arrays.copyOfRange(piece, PIECE_MAX / 2, PIECE_MAX);
    return epoch < high[0]
        ? replaced(at, 1, inserted(low, epoch), high)
        : replaced(at, 1, low, inserted(high, epoch));
  }

  /// These without an epoch that is among them.
  public LiveEpochs minus(long epoch) {
    int at = pieceOf(epoch);
    long[] piece = pieces[at];
    if (piece.length == 1) {
      return replaced(at, 1);
    }
    int index = Arrays.binarySearch(piece, epoch);
    long[] less = Arrays.copyOf(piece, piece.length - 1);
    System.arraycopy(piece, index + 1, less, index, less.length - index);
    if (at > 0 && pieces[at - 1].length + less.length <= PIECE_MAX / 2) {
      return replaced(at - 1, 2, joined(pieces[at - 1], less));
    }
    if (at + 1 < pieces.length && less.length + pieces[at + 1].length <= PIECE_MAX / 2) {
      return replaced(at, 2, joined(less, pieces[at + 1]));
    }
    return replaced(at, 1, less);
  }

  private static long[] inserted(long[] piece, long epoch) {
    int index = ~Arrays.binarySearch(piece, epoch);
    long[] more = Arrays.copyOf(piece, piece.length + 1);
    System.arraycopy(piece, index, more, index + 1, piece.length - index);
    more[index] = epoch;
    return more;
  }

  private static long[] joined(long[] low, long[] high) {
    long[] both = Arrays.copyOf(low, low.length + high.length);
    System.arraycopy(high, 0, both, low.length, high.length);
    return both;
  }

  /// These with other pieces in the place of `count` from `at` on.
  private LiveEpochs replaced(int at, int count, long[]... by) {
    long[][] changed = Arrays.copyOf(pieces, pieces.length - count + by.length);
    System.arraycopy(by, 0, changed, at, by.length);
    System.arraycopy(pieces, at + count, changed, at + by.length, pieces.length - at - count);
    return new LiveEpochs(changed);
  }

  /// The last piece that begins at or below `epoch`; the first if none does; -1 if there is none.
  private int pieceOf(long epoch) {
    int low = 0;
    int high = pieces.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pieces[middle][0] <= epoch) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 ? low - 1 : Math.min(pieces.length, 1) - 1;
  }

  /// How many pieces are not those of `before`. For tests.
  @SuppressWarnings("ReferenceEquality") // shared pieces
  long piecesUnlike(LiveEpochs before) {
    return Arrays.stream(pieces)
        .filter(piece -> Arrays.stream(before.pieces).noneMatch(other -> other == piece))
        .count();
  }

  /// How many pieces there are. For tests.
  int pieceCount() {
    return pieces.length;
  }

  /// Whether any is in `from` (inclusive) to `to` (exclusive): whether it shows what was made in
  /// `from` and retired in `to`.
  public boolean anyWithin(long from, long to) {
    int at = pieceOf(from);
    if (at < 0) {
      return false;
    }
    long[] piece = pieces[at];
    int index = firstFrom(piece, from);
    if (index < piece.length) {
      return piece[index] < to;
    }
    return at + 1 < pieces.length && pieces[at + 1][0] < to;
  }

  /// The newest below `epoch`, or -1.
  long below(long epoch) {
    int at = pieceOf(epoch);
    if (at < 0) {
      return -1;
    }
    int index = firstFrom(pieces[at], epoch);
    if (index > 0) {
      return pieces[at][index - 1];
    }
    return at == 0 ? -1 : pieces[at - 1][pieces[at - 1].length - 1];
  }

  private static int firstFrom(long[] piece, long epoch) {
    int found = Arrays.binarySearch(piece, epoch);
    return found < 0 ? ~found : found;
  }

  /// The oldest, or [#NONE_LIVE].
  public long oldest() {
    return pieces.length == 0 ? NONE_LIVE : pieces[0][0];
  }

  /// The newest, or -1.
  public long newest() {
    if (pieces.length == 0) {
      return -1;
    }
    long[] last = pieces[pieces.length - 1];
    return last[last.length - 1];
  }
}
