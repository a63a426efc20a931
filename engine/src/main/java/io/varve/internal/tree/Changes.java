package io.varve.internal.tree;

import org.jspecify.annotations.Nullable;

/// Changes of one space in key order, each key once: a value to put, or null to delete.
public interface Changes {
  int size();

  byte[] key(int index);

  /// The inline value or the reference to a large one, or null to delete.
  byte @Nullable [] value(int index);

  /// The value tag: the length of the value, with [io.varve.internal.page.LeafPage#LARGE] if it is
  /// a reference. Meaningless for a delete.
  int tag(int index);

  /// How full leaves are to be that are made of the changes, in percent.
  default int fillPercent() {
    return 100;
  }
}
