package io.varve.query.internal.entity;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds the name that was likely meant.
public final class NearestName {
  private NearestName() {}

  /// The name that fewest changes of characters lead to, or null if no name is like it.
  public static @Nullable String of(String written, Collection<String> names) {
    String nearest = null;
    int fewest = Math.max(2, written.length() / 2) + 1;
    for (String name : names) {
      int changes = changes(written.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (changes < fewest) {
        fewest = changes;
        nearest = name;
      }
    }
    return nearest;
  }

  /// The distance of Damerau and Levenshtein with adjacent characters exchanged.
  private static int changes(String a, String b) {
    int[][] least = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int changed = least[i - 1][j - 1] + same;
        int inserted = Math.min(least[i - 1][j], least[i][j - 1]) + 1;
        least[i][j] = Math.min(changed, inserted);
        boolean isExchanged =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (isExchanged) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[a.length()][b.length()];
  }
}
