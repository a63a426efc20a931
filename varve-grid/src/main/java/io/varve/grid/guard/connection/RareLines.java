package io.varve.grid.guard.connection;

import java.util.LinkedHashMap;
import java.util.Map;

/// Which lines of a log are written: of each kind some in a while.
///
/// Any number of kinds comes, since clients can make them up; the last [#KINDS_MAX] are known. A
/// kind that is not known counts as a line of all that are not, so that new kinds do not help.
public final class RareLines {
  private static final int KINDS_MAX = 1_000;

  /// Kinds that may come for the first time within one interval.
  private static final int NEW_KINDS_MAX = 20;

  private final long intervalNanos;
  private final int linesMax;
  private final Map<String, Kind> kinds = new LinkedHashMap<>(16, 0.75f, true);
  private long newSinceNanos;
  private int newKinds;
  private boolean begun;

  private static final class Kind {
    long sinceNanos;
    int written;
    long leftOut;
  }

  /// @param linesMax of a kind in an interval
  public RareLines(long intervalNanos, int linesMax) {
    this.intervalNanos = intervalNanos;
    this.linesMax = linesMax;
  }

  /// Whether a line of a kind is written now.
  ///
  /// @return how many of its kind were left out before it, or -1 if it is left out
  public synchronized long admit(String kindName, long nowNanos) {
    Kind kind = kinds.get(kindName);
    if (kind == null) {
      if (!begun || nowNanos - newSinceNanos >= intervalNanos) {
        begun = true;
        newSinceNanos = nowNanos;
        newKinds = 0;
      }
      if (++newKinds > NEW_KINDS_MAX) {
        return -1;
      }
      kind = new Kind();
      kind.sinceNanos = nowNanos;
      kind.written = 1;
      kinds.put(kindName, kind);
      if (kinds.size() > KINDS_MAX) {
        kinds.remove(kinds.keySet().iterator().next());
      }
      return 0;
    }
    if (nowNanos - kind.sinceNanos >= intervalNanos) {
      kind.sinceNanos = nowNanos;
      kind.written = 0;
    }
    if (kind.written >= linesMax) {
      kind.leftOut++;
      return -1;
    }
    kind.written++;
    long leftOut = kind.leftOut;
    kind.leftOut = 0;
    return leftOut;
  }
}
