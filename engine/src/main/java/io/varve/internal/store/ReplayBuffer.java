package io.varve.internal.store;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.txn.KeySort;
import io.varve.internal.txn.SpaceCore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Changes of one space that a replay has read and not applied yet. They are applied in key order,
/// the last of each key alone: neighbours share a leaf that is in the processor's cache then, where
/// the order of the log would meet it cold each time.
///
/// For the one thread that recovers.
final class ReplayBuffer {
  /// About what a change takes apart from its bytes: two arrays' headers, their places in arrays
  /// that double, and those of the sort.
  static final int CHANGE_BYTES = 80;

  /// About what a buffer takes that is empty.
  static final int BYTES = 512;

  private static final int FIRST_CHANGES = 16;

  private final SpaceCore space;
  private final Epochs epochs;
  private final ReplayRelief relief;
  private byte[][] keys = new byte[FIRST_CHANGES][];
  private byte[] @Nullable [] values = new byte[FIRST_CHANGES][];
  private int size;

  /// @param relief frees memory before each change
  ReplayBuffer(SpaceCore space, Epochs epochs, ReplayRelief relief) {
    this.space = space;
    this.epochs = epochs;
    this.relief = relief;
  }

  /// Adds a put of an inline value, or a delete if that is null.
  void add(byte[] key, byte @Nullable [] value) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    keys[size] = key;
    values[size++] = value;
  }

  /// Applies all changes.
  void apply() {
    if (size == 0) {
      return;
    }
    int[] order = KeySort.order(keys, size);
    for (int i = 0; i < size; i++) {
      byte[] key = keys[order[i]];
      if (i + 1 == size || !Arrays.equals(key, keys[order[i + 1]])) {
        byte[] value = values[order[i]];
        if (value == null) {
          delete(key);
        } else {
          put(key, value, value.length);
        }
      }
    }
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    size = 0;
  }

  /// Applies all changes, and then a put of the reference to a large value.
  void putLarge(byte[] key, byte[] reference) {
    apply();
    put(key, reference, reference.length | LeafPage.LARGE);
  }

  private void put(byte[] key, byte[] value, int tag) {
    relief.beforeChange();
    long epoch = epochs.current(); // Constant from here on: relief alone closes one.
    TreeWriter writer = space.writer();
    NeededPages needed = new NeededPages();
    while (!writer.preparePut(key, value.length, epoch, needed)) {
      needed.load(space.tree().pages());
    }
    writer.put(key, value, tag, epoch);
  }

  private void delete(byte[] key) {
    relief.beforeChange();
    long epoch = epochs.current();
    TreeWriter writer = space.writer();
    NeededPages needed = new NeededPages();
    while (!writer.prepareDelete(key, epoch, needed)) {
      needed.load(space.tree().pages());
    }
    writer.delete(epoch);
  }
}
