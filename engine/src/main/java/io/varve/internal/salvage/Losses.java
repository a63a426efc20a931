package io.varve.internal.salvage;

import io.varve.admin.SalvageReport.Loss;
import java.util.ArrayList;
import java.util.List;

/// Gathers what could not be read: counts all, keeps the first. For one thread.
final class Losses {
  /// Losses beyond this many add nothing new.
  private static final int KEPT_MAX = 1000;

  private final List<Loss> first = new ArrayList<>();
  private long count;

  void add(String file, long offset, String what) {
    count++;
    if (first.size() < KEPT_MAX) {
      first.add(new Loss(file, offset, what));
    }
  }

  List<Loss> first() {
    return first;
  }

  long count() {
    return count;
  }
}
