package io.varve.internal.txn;

import static io.varve.Space.VALUE_BYTES_MAX;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.internal.file.LargeValues;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.Tree.ReadValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The changes of single keys of a space. Each is applied, and visible to all, when its call
/// returns. The caller awaits its durability, or does not.
///
/// (KEYCOPY-1) A key that is written is a copy, made before its leaf is searched: a caller's array
/// may be changed by another thread. What was searched would then not be what the leaf gets. A
/// value is copied or read once, so that leaf, log, indexes and watches get the same one.
///
/// Safe for threads, and refuses what [io.varve.Space] refuses.
public final class PendingChanges {
  private final SpaceCore core;
  private final Committer committer;
  private final ValueWriter values;
  private final IndexedWrite indexed;

  PendingChanges(SpaceCore core, Committer committer, ValueWriter values, IndexedWrite indexed) {
    this.core = core;
    this.committer = committer;
    this.values = values;
    this.indexed = indexed;
  }

  /// Gives the commit when the promise of `durability` holds for it.
  public CompletionStage<Commit> whenDurable(Commit commit, Durability durability) {
    return committer.whenDurable(commit.lsn(), durability);
  }

  /// Puts a value, whatever there was.
  ///
  /// @return the LSN
  long put(byte[] key, byte[] value) {
    core.requireUsable();
    byte[] ownKey = SpaceCore.ownKey(key);
    return commit(OneChange.put(core.id(), ownKey, values.write(core, value)));
  }

  /// Puts a value from a stream of known length.
  ///
  /// @return the LSN
  long put(byte[] key, InputStream value, long length) {
    core.requireUsable();
    byte[] ownKey = SpaceCore.ownKey(key);
    if (length < 0 || length > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "value length out of range: length=" + length + ", max=" + VALUE_BYTES_MAX);
    }
    NewValue stored =
        core.isLarge(length)
            ? values.writeLarge(core, value, length)
            : NewValue.inline(read(value, length));
    return commit(OneChange.put(core.id(), ownKey, stored));
  }

  private static byte[] read(InputStream value, long length) {
    try {
      byte[] bytes = value.readNBytes((int) length);
      if (bytes.length != length) {
        throw LargeValues.endedEarly(length, bytes.length);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Deletes a key, present or not.
  ///
  /// @return the LSN
  long delete(byte[] key) {
    core.requireUsable();
    return commit(OneChange.delete(core.id(), SpaceCore.ownKey(key)));
  }

  /// Puts a value.
  public KeyUpdate getAndPut(byte[] key, byte[] value) {
    Objects.requireNonNull(value, "value");
    return update(key, _ -> value);
  }

  /// Puts a value unless there is one.
  public KeyUpdate putIfAbsent(byte[] key, byte[] value) {
    Objects.requireNonNull(value, "value");
    return update(key, before -> before == null ? value : before);
  }

  /// Puts or, if it is null, deletes where the value is `expected`: see [KeyUpdate#found].
  public KeyUpdate compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return update(key, present -> Arrays.equals(present, expected) ? update : present);
  }

  /// Deletes a key.
  public KeyUpdate getAndDelete(byte[] key) {
    return update(key, _ -> null);
  }

  /// Puts a value where there is none, and what `remapping` makes of both where there is one.
  KeyUpdate merge(byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    Objects.requireNonNull(value, "value");
    return update(key, before -> before == null ? value : remapped(before, value, remapping));
  }

  /// What `remapping` makes of a copy of what was read: it may change that array and return it.
  @SuppressWarnings("ReferenceEquality") // a copy that comes back as it was asks for no change
  private static byte @Nullable [] remapped(
      byte[] before, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    byte[] copy = before.clone();
    byte[] after = remapping.apply(copy, value);
    return after == copy && Arrays.equals(after, before) ? before : after;
  }

  /// Replaces the value of a key by a function of it, as one step: reads it, computes outside of
  /// all locks, and commits if the leaf still holds what was read; otherwise again. A result that
  /// is the very array that was read changes nothing.
  @SuppressWarnings("ReferenceEquality") // the same array: the function asks for no change
  private KeyUpdate update(byte[] key, UnaryOperator<byte @Nullable []> function) {
    byte[] ownKey = SpaceCore.ownKey(key);
    while (true) {
      core.requireUsable();
      ReadValue read = core.tree().getLive(ownKey);
      StoredValue stored = read == null ? null : read.stored();
      byte[] before = read == null ? null : read.bytes();
      byte[] after = function.apply(before);
      if (before == after) {
        return new KeyUpdate(before, after, null);
      }
      NewValue value = after == null ? null : values.write(core, after);
      long commit = commit(new OneChange(core.id(), ownKey, value, true, stored, null));
      if (commit != CommitOutcome.NOT_AS_EXPECTED) {
        return new KeyUpdate(before, after, new Commit(commit));
      }
    }
  }

  private long commit(OneChange change) {
    boolean grows = change.value() != null;
    return values.commit(core, change, (_, one) -> apply(one, grows));
  }

  /// Applies a change with the index entries that it brings with it.
  private long apply(OneChange change, boolean grows) {
    while (true) {
      Indexing indexing = core.requireChangeable();
      long commit =
          indexing == null
              ? committer.applyOne(core, change, grows)
              : indexed.apply(core, change, indexing, grows);
      if (commit != CommitOutcome.NOT_AS_EXPECTED || change.isConditional()) {
        return commit;
      }
    }
  }
}
