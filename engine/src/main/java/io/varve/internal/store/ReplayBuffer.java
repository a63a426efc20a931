package io.varve.internal.store;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.txn.SpaceCore;
import java.util.Arrays;

/// Changes of one space that a replay has read and not applied yet. They are applied in key order,
/// the last of each key alone, and by leaf: those that fall into one change it in one step. So no
/// leaf is looked for, or split, more than once for them.
///
/// For the one thread that recovers.
final class ReplayBuffer {
  /// What a change takes apart from its bytes: its header, its position in an array that doubles,
  /// and its part of the sort.
  static final int CHANGE_BYTES =
      ReplayRecords.HEADER_BYTES + 2 * Integer.BYTES + ReplaySort.RECORD_BYTES;

  /// About what a buffer takes that is empty.
  static final int BYTES = 512;

  private static final int FIRST_CHANGES = 16;

  private final SpaceCore space;
  private final Epochs epochs;
  private final ReplayRelief relief;
  private final ReplayRecords records;
  private int[] positions = new int[FIRST_CHANGES];
  private int size;

  /// @param relief frees memory before each change
  /// @param records what holds the bytes of the changes
  ReplayBuffer(SpaceCore space, Epochs epochs, ReplayRelief relief, ReplayRecords records) {
    this.space = space;
    this.epochs = epochs;
    this.relief = relief;
    this.records = records;
  }

  /// Adds a change.
  ///
  /// @param position of its record
  void add(int position) {
    if (size == positions.length) {
      positions = Arrays.copyOf(positions, 2 * size);
    }
    positions[size++] = position;
  }

  /// Whether the changes are of that space.
  boolean isOf(int spaceId) {
    return space.id() == spaceId;
  }

  /// Applies all changes.
  void apply() {
    if (size == 0) {
      return;
    }
    ReplaySort sorted = ReplaySort.of(records, positions, size);
    ReplayChanges changes = new ReplayChanges(records, sorted);
    while (changes.next()) {
      apply(changes);
    }
    size = 0;
  }

  private void apply(ReplayChanges changes) {
    TreeWriter writer = space.writer();
    int from = 0;
    while (from < changes.size()) {
      relief.beforeChange();
      long epoch = epochs.current(); // Constant from here on: relief alone closes one.
      NeededPages needed = new NeededPages();
      int to = writer.applyInLeaf(changes, from, epoch, needed);
      while (to == from) {
        needed.load(space.tree().pages());
        to = writer.applyInLeaf(changes, from, epoch, needed);
      }
      from = to;
    }
  }

  /// Applies all changes, and then a put of the reference to a large value.
  void putLarge(byte[] key, byte[] reference) {
    apply();
    relief.beforeChange();
    long epoch = epochs.current(); // Constant from here on, as above.
    TreeWriter writer = space.writer();
    NeededPages needed = new NeededPages();
    while (!writer.preparePut(key, reference.length, epoch, needed)) {
      needed.load(space.tree().pages());
    }
    writer.put(key, reference, reference.length | LeafPage.LARGE, epoch);
  }
}
