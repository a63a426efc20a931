package io.varve.internal.tree;

import io.varve.internal.page.Branches;

/// How large an inner node may become.
final class InnerLimits {
  /// Children of an inner node at most.
  static final int CHILDREN_MAX = 256;

  /// Separator bytes of an inner node at most. The longest separators leave it nine children.
  static final int SEPARATOR_BYTES_MAX = 32 << 10;

  private InnerLimits() {}

  /// Whether branches are more than one node may have.
  static boolean overflow(Branches branches) {
    return branches.count() > CHILDREN_MAX || branches.separatorBytes() > SEPARATOR_BYTES_MAX;
  }
}
