package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.Range;
import io.varve.StoreClosedException;
import io.varve.internal.page.Node;
import io.varve.internal.tree.TreeCursor;
import java.io.InputStream;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads of one closed epoch, which is held until the close.
final class HeldEpoch {
  private final Lifecycle lifecycle;
  private final long epoch;
  private volatile boolean closed;

  HeldEpoch(Lifecycle lifecycle, long epoch) {
    this.lifecycle = lifecycle;
    this.epoch = epoch;
  }

  long epoch() {
    return epoch;
  }

  /// Ends the reads. Called before the epoch is released.
  void close() {
    closed = true;
  }

  /// @throws StoreClosedException if the snapshot or its store was closed
  void requireOpen() {
    lifecycle.requireOpen();
    if (closed) {
      throw new StoreClosedException("the snapshot is closed");
    }
  }

  /// The root of a space in this epoch, or null if it was created later.
  @Nullable Node root(SpaceCore space) {
    return space.tree().rootAt(epoch);
  }

  /// Reads what this epoch holds.
  ///
  /// @param absent what a space gives that was created later
  <T extends @Nullable Object> T read(SpaceCore space, T absent, Function<Node, T> look) {
    return reading(
        space,
        () -> {
          Node root = root(space);
          return root == null ? absent : look.apply(root);
        });
  }

  /// Reads pages that this epoch holds. Another thread may close it during the read: then its root
  /// may be gone, its pages may change under the reader, and what is on disk may be reused. So no
  /// result or failure counts until the epoch is seen to be open after it.
  ///
  /// @throws StoreClosedException if the snapshot or its store was closed
  <T extends @Nullable Object> T reading(SpaceCore space, Supplier<T> reading) {
    T result;
    try {
      result = reading.get();
    } catch (RuntimeException | Error e) {
      requireStillOpen();
      if (e instanceof CorruptStoreException damage) {
        throw space.tree().pages().file().damaged(damage);
      }
      throw e;
    }
    requireStillOpen();
    return result;
  }

  /// Throws as [#requireOpen()] does, for what was read before the call.
  private void requireStillOpen() {
    VarHandle.loadLoadFence(); // What was read was read before the look at `closed`.
    requireOpen();
  }

  @Nullable InputStream open(SpaceCore space, byte[] key) {
    requireOpen();
    return read(space, null, root -> space.tree().open(root, key));
  }

  EntryCursor cursor(SpaceCore space, Range range) {
    requireOpen();
    space.requireUsable();
    TreeCursor cursor =
        read(
            space,
            TreeCursor.overNothing(space.tree()),
            root -> new TreeCursor(space.tree(), root, range.from(), range.to()));
    EntryCursor.LargeReads largeReads =
        EntryCursor.LargeReads.ofFixed(space.tree().pages().file(), this::requireOpen);
    return new EntryCursor(cursor, largeReads, this::requireOpen);
  }

  /// Looks at the tree of a space below its root in this epoch.
  <T extends @Nullable Object> T inTree(SpaceCore space, Function<Node, T> look) {
    requireOpen();
    return reading(
        space,
        () -> look.apply(Objects.requireNonNullElseGet(root(space), space.tree()::emptyRoot)));
  }
}
