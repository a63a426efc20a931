package io.varve.query.pattern;

import java.util.List;

/// What a run of patterns took and read, for its explanation. For one thread.
final class JoinCounts {
  private final long[] itemsRead;

  /// How often each pattern was taken, by the depth at which it was.
  private final long[][] taken;

  JoinCounts(int patterns) {
    itemsRead = new long[patterns];
    taken = new long[patterns][patterns];
  }

  /// Notes that a pattern was taken.
  ///
  /// @param depth how many were taken before it in the branch
  void took(int pattern, int depth) {
    taken[pattern][depth]++;
  }

  /// Notes that an item of a pattern was read.
  void read(int pattern) {
    itemsRead[pattern]++;
  }

  /// A line for each pattern.
  ///
  /// @param shapes the patterns' texts
  /// @param counts how many items each has before any variable is bound
  /// @param answers how many were found
  String describe(List<String> shapes, long[] counts, long answers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < shapes.size(); i++) {
      text.append(shapes.get(i)).append(": items=").append(counts[i]).append(", taken=");
      StringBuilder depths = new StringBuilder();
      for (int depth = 0; depth < shapes.size(); depth++) {
        if (taken[i][depth] > 0) {
          depths
              .append(depths.isEmpty() ? "" : " and ")
              .append(taken[i][depth])
              .append(" times as ");
          depths.append(depth + 1).append(" of ").append(shapes.size());
        }
      }
      text.append(depths.isEmpty() ? "never" : depths);
      text.append(", read=").append(itemsRead[i]).append('\n');
    }
    return text.append("answers=").append(answers).toString();
  }
}
