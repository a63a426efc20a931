package io.varve.cli.documents;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The fields of answers that have no column.
final class OtherFields {
  /// Documents may use names as keys: of those a message shows no more.
  private static final int NAMES_MAX = 20;

  private final Set<String> columns;
  private final Set<String> found = new LinkedHashSet<>();

  OtherFields(List<String> columns) {
    this.columns = Set.copyOf(columns);
  }

  void add(Set<String> fields) {
    for (String field : fields) {
      if (found.size() < NAMES_MAX && !columns.contains(field)) {
        found.add(field);
      }
    }
  }

  /// Their names, in the order in which they came, up to a bound.
  Set<String> found() {
    return found;
  }
}
