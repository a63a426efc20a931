package io.varve.internal.txn;

/// The names of the spaces that have the entries of indexes: they name the indexed space by its id,
/// which no rename changes. No user can make or see a space of such a name.
public final class IndexNames {
  private static final String PREFIX = "\u0000index:";

  private IndexNames() {}

  /// The name of the space with the entries of an index.
  public static String name(int indexedSpace, String index) {
    return PREFIX + indexedSpace + ":" + index;
  }

  /// Whether a space of that name has the entries of an index.
  public static boolean isIndex(String name) {
    return name.startsWith(PREFIX);
  }

  /// The id of the indexed space; 0, which no space has, if a name that was damaged holds none.
  public static int indexedSpace(String name) {
    try {
      return Integer.parseInt(name, PREFIX.length(), name.indexOf(':', PREFIX.length()), 10);
    } catch (IndexOutOfBoundsException | NumberFormatException _) {
      return 0;
    }
  }

  /// The name of the index.
  public static String index(String name) {
    return name.substring(name.indexOf(':', PREFIX.length()) + 1);
  }
}
