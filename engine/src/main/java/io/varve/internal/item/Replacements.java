package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.item.ItemCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Replaces what is under a prefix of an item space, in two steps: what is there is read without
/// locks, and then the open changes are replaced if what was read is still so. After some attempts
/// that is done while no commit can come between.
final class Replacements {
  /// Items under a prefix that are deleted one by one; if there are more, the prefix is recorded.
  private static final int SINGLE_DELETES_MAX = 1000;

  /// Attempts concurrently with commits, before it is done between two.
  private static final int ATTEMPTS_MAX = 8;

  private final Levels levels;

  Replacements(Levels levels) {
    this.levels = levels;
  }

  /// Deletes what starts with a prefix, and inserts an item if there is one, in one step.
  void replace(byte[] prefix, byte @Nullable [] item) {
    replace(new Replacement(prefix, false, null, item));
  }

  /// Replaces what starts with a prefix, if the first such item is the one expected (null: if there
  /// is none).
  ///
  /// @return whether it was
  boolean compareAndReplace(byte[] prefix, byte @Nullable [] expected, byte @Nullable [] item) {
    return replace(new Replacement(prefix, true, expected, item));
  }

  /// @param isConditional whether the first item under the prefix must be `expected`
  /// @param item what to insert, or null
  private record Replacement(
      byte[] prefix, boolean isConditional, byte @Nullable [] expected, byte @Nullable [] item) {}

  private enum Outcome {
    REPLACED,
    NOT_AS_EXPECTED,
    /// What was read does not hold any more.
    OVERTAKEN
  }

  private boolean replace(Replacement replacement) {
    Outcome outcome = Outcome.OVERTAKEN;
    for (int i = 0; i < ATTEMPTS_MAX && outcome == Outcome.OVERTAKEN; i++) {
      outcome = tryReplace(replacement);
    }
    while (outcome == Outcome.OVERTAKEN) {
      // Now only changes of the same items can come between.
      outcome = levels.whileStill(() -> tryReplace(replacement));
    }
    return outcome == Outcome.REPLACED;
  }

  private Outcome tryReplace(Replacement replacement) {
    ItemState before = levels.state();
    byte[] prefix = replacement.prefix;
    List<byte[]> below;
    try {
      if (replacement.isConditional
          && !Arrays.equals(first(before, prefix), replacement.expected)) {
        return levels.state().isSameBelow(before) ? Outcome.NOT_AS_EXPECTED : Outcome.OVERTAKEN;
      }
      below = keysBelow(before, prefix);
    } catch (RuntimeException e) {
      if (levels.state().isSameBelow(before)) {
        throw e;
      }
      return Outcome.OVERTAKEN; // and a layer was dropped that this was reading
    }
    boolean replaced =
        levels.changeOver(before, open -> replaced(open, before.open(), replacement, below));
    return replaced ? Outcome.REPLACED : Outcome.OVERTAKEN;
  }

  /// @return null if the open changes are not as they were read
  private static @Nullable Overlay replaced(
      Overlay open, Overlay read, Replacement replacement, List<byte[]> below) {
    if (replacement.isConditional && !open.isSameUnder(replacement.prefix, read)) {
      return null;
    }
    Overlay rest = without(open, replacement.prefix, below);
    byte[] item = replacement.item;
    return item == null ? rest : rest.with(item, false);
  }

  private byte @Nullable [] first(ItemState of, byte[] prefix) {
    MergedCursor cursor = new MergedCursor(new FixedSource(levels, of), prefix);
    return cursor.first() ? cursor.toBytes() : null;
  }

  /// The items under a prefix that are there without the open changes, up to one too many.
  private List<byte[]> keysBelow(ItemState before, byte[] prefix) {
    ItemSource source = new FixedSource(levels, before.open(Overlay.EMPTY));
    ItemCursor cursor = new MergedCursor(source, prefix);
    List<byte[]> keys = new ArrayList<>();
    while (keys.size() <= SINGLE_DELETES_MAX && cursor.next()) {
      keys.add(cursor.toBytes());
    }
    return keys;
  }

  private static Overlay without(Overlay open, byte[] prefix, List<byte[]> below) {
    if (below.size() > SINGLE_DELETES_MAX) {
      return open.cleared(prefix);
    }
    Overlay rest = open.without(prefix);
    for (byte[] key : below) {
      rest = rest.with(key, true);
    }
    return rest;
  }

  /// The live levels below the overlays, under overlays as of one time. Its reader checks
  /// afterwards whether they have changed.
  private record FixedSource(Levels levels, ItemState state) implements ItemSource {
    @Override
    public Space main() {
      return levels.main();
    }

    @Override
    public Cursor cursor(Space of, Range range) {
      return of.cursor(range);
    }

    @Override
    public <T> T whileStill(Supplier<T> read) {
      return read.get();
    }
  }
}
