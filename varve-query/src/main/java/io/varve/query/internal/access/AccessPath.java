package io.varve.query.internal.access;

import io.varve.Range;
import java.util.List;
import java.util.Set;

/// A way to rows of a table: to all that a condition is true of, and perhaps to others.
sealed interface AccessPath {
  /// How many rows it finds at most; about, if that would take long to count.
  long rows();

  /// The conjuncts that are true of all rows that it finds.
  Set<Conjunct> answered();

  /// The conjuncts that it was made for.
  Set<Conjunct> used();

  /// Finds nothing, as no row can be as it is wanted.
  record Nothing() implements AccessPath {
    @Override
    public long rows() {
      return 0;
    }

    @Override
    public Set<Conjunct> answered() {
      return Set.of();
    }

    @Override
    public Set<Conjunct> used() {
      return Set.of();
    }
  }

  /// Reads rows of the table by ranges of keys, in order and disjoint.
  record Keys(List<Range> ranges, long rows, Set<Conjunct> answered, Set<Conjunct> used)
      implements AccessPath {}

  /// Reads ranges of an index, in order and disjoint, and gets the rows.
  ///
  /// @param index that is read
  /// @param ranges of its entries
  /// @param fixedParts how many parts at the beginning have one value alone
  /// @param isKeySorted whether the entries of each range come by their keys
  /// @param mayRepeat whether a row may have several entries in the ranges
  /// @param guaranteed the attributes that have a value in all entries
  record Entries(
      IndexForm index,
      List<Range> ranges,
      int fixedParts,
      boolean isKeySorted,
      boolean mayRepeat,
      Set<String> guaranteed,
      long rows,
      Set<Conjunct> answered,
      Set<Conjunct> used)
      implements AccessPath {
    /// Whether there is one entry at most: that of the only value of a unique index.
    boolean isPoint() {
      return index.isUnique() && ranges.size() == 1 && fixedParts == index.parts().size();
    }

    /// Whether each range has one entry at most, whose key is where the range begins: those of
    /// values of a unique index.
    boolean arePoints() {
      return index.isUnique() && isKeySorted;
    }
  }

  /// The rows that all of several paths find, by their sorted keys.
  record Intersection(List<AccessPath> paths, long rows, Set<Conjunct> answered, Set<Conjunct> used)
      implements AccessPath {}

  /// The rows that one of several paths finds, by their sorted keys.
  record Union(List<AccessPath> paths, long rows, Set<Conjunct> answered, Set<Conjunct> used)
      implements AccessPath {}
}
