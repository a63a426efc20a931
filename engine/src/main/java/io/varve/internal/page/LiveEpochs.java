package io.varve.internal.page;

import java.util.Arrays;
import java.util.Collection;

/// The closed epochs that snapshots, backups and the running checkpoint show, at one moment.
/// Immutable.
public final class LiveEpochs {
  /// No closed epoch is live.
  public static final LiveEpochs NONE = new LiveEpochs(new long[0]);

  /// What [#oldest()] gives when no closed epoch is live.
  public static final long NONE_LIVE = Long.MAX_VALUE;

  private final long[] ascending;

  private LiveEpochs(long[] ascending) {
    this.ascending = ascending;
  }

  /// The epochs given, which ascend and differ.
  public static LiveEpochs of(Collection<Long> ascending) {
    return new LiveEpochs(ascending.stream().mapToLong(Long::longValue).toArray());
  }

  /// Whether any is in `from` (inclusive) to `to` (exclusive): whether it shows what was made in
  /// `from` and retired in `to`.
  public boolean anyWithin(long from, long to) {
    int index = firstFrom(from);
    return index < ascending.length && ascending[index] < to;
  }

  /// The newest below `epoch`, or -1.
  long below(long epoch) {
    int index = firstFrom(epoch);
    return index == 0 ? -1 : ascending[index - 1];
  }

  private int firstFrom(long epoch) {
    int found = Arrays.binarySearch(ascending, epoch);
    return found < 0 ? ~found : found;
  }

  /// The oldest, or [#NONE_LIVE].
  public long oldest() {
    return ascending.length == 0 ? NONE_LIVE : ascending[0];
  }

  /// The newest, or -1.
  public long newest() {
    return ascending.length == 0 ? -1 : ascending[ascending.length - 1];
  }
}
