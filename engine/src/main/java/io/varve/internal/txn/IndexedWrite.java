package io.varve.internal.txn;

import io.varve.UniqueIndexException;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.Tree.ReadValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Changes of one key of a space with indexes: the key and its index entries, in one commit.
///
/// Reads the value first, outside of all locks, and lets the commit take place only if the leaf
/// still holds it. No other key may have taken a prefix of a unique index since.
final class IndexedWrite {
  private static final byte[] NOTHING = {};

  private final Committer committer;
  private final IntFunction<@Nullable SpaceCore> spaces;

  /// @param spaces finds a space by its id
  IndexedWrite(Committer committer, IntFunction<@Nullable SpaceCore> spaces) {
    this.committer = committer;
    this.spaces = spaces;
  }

  /// Commits a change.
  ///
  /// @return the LSN, or [CommitOutcome#NOT_AS_EXPECTED] if the change has a condition that does
  ///   not hold, or if what was read was changed concurrently: try again
  /// @throws UniqueIndexException if another key has a prefix of a unique index
  long apply(SpaceCore space, OneChange change, Indexing indexing, boolean grows) {
    Plan plan = new Plan(space, change.key());
    try {
      return tryApply(plan, change, indexing, grows);
    } catch (IllegalStateException e) {
      if (!space.indexes().areStill(indexing) || plan.hasDroppedIndex()) {
        return CommitOutcome.NOT_AS_EXPECTED; // The space of an index was dropped.
      }
      throw e;
    }
  }

  private long tryApply(Plan plan, OneChange change, Indexing indexing, boolean grows) {
    SpaceCore space = plan.space;
    byte[] key = change.key();
    ReadValue read = space.tree().getLive(key);
    StoredValue stored = read == null ? null : read.stored();
    if (change.isConditional() && !Objects.equals(stored, change.expected())) {
      return CommitOutcome.NOT_AS_EXPECTED;
    }
    NewValue value = change.value();
    byte[] after = value == null ? null : value.stored().read(space.tree().pages().file());
    indexing.change(key, read == null ? null : read.bytes(), after, plan);
    if (plan.writes.isEmpty()) {
      return committer.applyOne(space, change.ifStill(stored, indexing), grows);
    }
    SpaceWrites own = plan.to(space);
    if (value == null) {
      own.delete(key);
    } else if (value.stored().large()) {
      own.putLarge(key, value);
    } else {
      own.put(key, value.stored().bytes());
    }
    own.expect(key, stored);
    return own.hasIndexes(indexing) ? plan.commit() : CommitOutcome.NOT_AS_EXPECTED;
  }

  /// The writes that one change comes to.
  private final class Plan implements Indexing.Sink {
    private final SpaceCore space;
    private final byte[] key;
    private final Map<SpaceCore, SpaceWrites> writes = new LinkedHashMap<>();

    /// Whether an index had no space with its entries: it is being dropped, or made, and the set of
    /// indexes changes after the registry of spaces, or before.
    private boolean lacksEntries;

    Plan(SpaceCore space, byte[] key) {
      this.space = space;
      this.key = key;
    }

    SpaceWrites to(SpaceCore changed) {
      return writes.computeIfAbsent(changed, _ -> new SpaceWrites(changed, null));
    }

    private SpaceCore entriesOf(Indexing.Kept index) {
      SpaceCore entries = spaces.apply(index.entries());
      if (entries == null) {
        lacksEntries = true;
        throw new IllegalStateException("the index was dropped: index=" + index.name());
      }
      return entries;
    }

    /// Whether a space of an index, or of its build, was dropped since it was planned to change.
    boolean hasDroppedIndex() {
      return lacksEntries
          || writes.keySet().stream()
              .anyMatch(changed -> changed.isDropped() && IndexNames.isIndex(changed.name()));
    }

    /// Notes an entry that goes while the index is built (WORKSPACE-1).
    private void noteRemoved(SpaceCore entries, byte[] prefix) {
      SpaceCore workspace = to(entries).workspace(spaces);
      if (workspace != null) {
        to(workspace).put(IndexWorkspace.removed(Indexing.entry(prefix, key)), NOTHING);
      }
    }

    @Override
    public void remove(Indexing.Kept index, byte[] prefix) {
      SpaceCore entries = entriesOf(index);
      noteRemoved(entries, prefix);
      if (!index.definition().isUnique()) {
        to(entries).delete(Indexing.entry(prefix, key));
        return;
      }
      ReadValue present = entries.tree().getLive(prefix);
      if (present == null || Arrays.equals(present.bytes(), key)) {
        to(entries).delete(prefix);
      } else {
        // An index that is being built may have it of another key, which keeps it.
        to(entries).put(prefix, present.bytes());
      }
      to(entries).expect(prefix, present == null ? null : present.stored());
    }

    @Override
    public void add(Indexing.Kept index, byte[] prefix) {
      SpaceCore entries = entriesOf(index);
      if (!index.definition().isUnique()) {
        to(entries).put(Indexing.entry(prefix, key), NOTHING);
        return;
      }
      ReadValue present = entries.tree().getLive(prefix);
      // This key itself may have it by now: what was read of the key is old then, and refused.
      if (present != null && !Arrays.equals(present.bytes(), key)) {
        throw new UniqueIndexException(space.name(), index.name(), key, present.bytes());
      }
      to(entries).put(prefix, key.clone());
      to(entries).expect(prefix, present == null ? null : present.stored());
    }

    long commit() {
      List<SpaceWrites> all = new ArrayList<>(writes.values());
      all.forEach(SpaceWrites::sort);
      TreeSet<SpaceCore> locked = new TreeSet<>(Comparator.comparingInt(SpaceCore::id));
      locked.addAll(writes.keySet());
      return committer.applyAll(all, List.copyOf(locked), ReadCheck.NOTHING, _ -> {});
    }
  }
}
