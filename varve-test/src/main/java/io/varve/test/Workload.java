package io.varve.test;

import io.varve.Durability;
import java.util.List;

/// What random commits look like.
///
/// @param spaces the names of the spaces that are changed
/// @param ownKeys how many keys of its own a writer has in each space, about
/// @param sharedKeys how many keys in each space any writer may change; 0 if there is one writer
/// @param valueBytesMax the longest value; most are far shorter
/// @param transactionChangesMax the most changes of one transaction; most have few
/// @param durabilities what a commit that may choose its durability chooses from, evenly
public record Workload(
    List<String> spaces,
    int ownKeys,
    int sharedKeys,
    int valueBytesMax,
    int transactionChangesMax,
    List<Durability> durabilities) {
  private static final Workload SMALL =
      new Workload(
          List.of("a", "b", "c"),
          60,
          10,
          40_000,
          40,
          List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND));

  /// Copies the lists.
  public Workload {
    spaces = List.copyOf(spaces);
    durabilities = List.copyOf(durabilities);
  }

  /// Three spaces, few keys, all durabilities, values from none to many pages.
  public static Workload small() {
    return SMALL;
  }

  /// The same with other durabilities.
  public Workload durabilities(Durability... chosen) {
    return new Workload(
        spaces, ownKeys, sharedKeys, valueBytesMax, transactionChangesMax, List.of(chosen));
  }

  /// The same with other numbers of keys.
  public Workload keys(int own, int shared) {
    return new Workload(spaces, own, shared, valueBytesMax, transactionChangesMax, durabilities);
  }

  /// The same with another longest value.
  public Workload valueBytesMax(int bytes) {
    return new Workload(spaces, ownKeys, sharedKeys, bytes, transactionChangesMax, durabilities);
  }
}
