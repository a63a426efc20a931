package io.varve.internal.store;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.txn.KeySort;
import io.varve.internal.txn.LiveSpace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Changes of one space that a replay has read and not applied yet. They are applied in key order,
/// the last of each key alone: neighbours share a leaf that is in the processor's cache then, where
/// the order of the log would meet it cold each time.
///
/// For the one thread that recovers.
final class ReplayBuffer {
  /// About what a change takes besides its bytes: two arrays' headers and their places.
  static final int CHANGE_BYTES = 64;

  private final LiveSpace space;
  private byte[][] keys = new byte[1024][];
  private byte[] @Nullable [] values = new byte[1024][];
  private int size;

  ReplayBuffer(LiveSpace space) {
    this.space = space;
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
  void apply(long epoch) {
    if (size == 0) {
      return;
    }
    int[] order = KeySort.order(keys, size);
    for (int i = 0; i < size; i++) {
      byte[] key = keys[order[i]];
      if (i + 1 == size || !Arrays.equals(key, keys[order[i + 1]])) {
        byte[] value = values[order[i]];
        if (value == null) {
          delete(key, epoch);
        } else {
          put(key, value, value.length, epoch);
        }
      }
    }
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    size = 0;
  }

  /// Applies all changes, and then a put of the reference to a large value.
  void putLarge(byte[] key, byte[] reference, long epoch) {
    apply(epoch);
    put(key, reference, reference.length | LeafPage.LARGE, epoch);
  }

  private void put(byte[] key, byte[] value, int tag, long epoch) {
    TreeWriter writer = space.writer();
    NeededPages needed = new NeededPages();
    while (!writer.preparePut(key, value.length, epoch, needed)) {
      needed.load(space.tree().pages());
    }
    writer.put(key, value, tag, epoch);
  }

  private void delete(byte[] key, long epoch) {
    TreeWriter writer = space.writer();
    NeededPages needed = new NeededPages();
    while (!writer.prepareDelete(key, epoch, needed)) {
      needed.load(space.tree().pages());
    }
    writer.delete(epoch);
  }
}
