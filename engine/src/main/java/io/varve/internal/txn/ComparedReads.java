package io.varve.internal.txn;

import io.varve.ConflictException;
import io.varve.Range;
import io.varve.internal.page.Node;
import io.varve.internal.tree.Tree;
import io.varve.internal.tree.TreeDiff;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Compares the ranges that a transaction read with the live trees, when it commits.
///
/// For the thread of the transaction.
final class ComparedReads implements ReadCheck {
  private final StoreSnapshot snapshot;
  private final Map<SpaceCore, List<Range>> ranges;
  private final Function<String, ConflictException> conflict;
  private final MovedValues moved = new MovedValues();

  /// Compares what was read from a snapshot.
  ///
  /// @param conflict makes the exception with a message
  ComparedReads(
      StoreSnapshot snapshot,
      Map<SpaceCore, List<Range>> ranges,
      Function<String, ConflictException> conflict) {
    this.snapshot = snapshot;
    this.ranges = ranges;
    this.conflict = conflict;
  }

  @Override
  public void check() {
    compare(tree -> (key, before, now) -> moved.isSame(tree, key, before, now));
  }

  @Override
  public boolean checkLocked() {
    moved.beginLocked();
    compare(_ -> (_, before, now) -> moved.isSameAsKnown(before, now));
    return !moved.hasMetUnknown();
  }

  private void compare(Function<Tree, TreeDiff.LargeComparison> large) {
    ranges.forEach((space, read) -> {
      TreeDiff.LargeComparison comparison = large.apply(space.tree());
      for (Range range : read) {
        byte[] changed = firstChange(space, range, comparison);
        if (changed != null) {
          throw conflict.apply(message(space, changed));
        }
      }
    });
  }

  /// What a close frees concurrently is neither a change nor damage: see [HeldEpoch#reading].
  private byte @Nullable [] firstChange(
      SpaceCore space, Range range, TreeDiff.LargeComparison comparison) {
    HeldEpoch held = snapshot.held();
    Tree tree = space.tree();
    return held.reading(
        space,
        () -> {
          Node before = Objects.requireNonNullElse(held.root(space), tree.emptyRoot());
          return TreeDiff.firstChange(tree, before, range.from(), range.to(), comparison);
        });
  }

  private String message(SpaceCore space, byte[] changed) {
    return moved.areTooMany()
        ? "more large values that the transaction read moved in the file than it compares: space="
            + space.name()
            + ", values="
            + MovedValues.KNOWN_MAX
            + "; run the transaction again"
        : "a key that the transaction read was changed by another commit: space="
            + space.name()
            + ", keyBytes="
            + changed.length
            + "; run the transaction again";
  }
}
