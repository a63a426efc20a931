package io.varve.internal.store;

import io.varve.internal.tree.Changes;
import org.jspecify.annotations.Nullable;

/// The next changes of a replay, in key order, each key once: so many as fall into some leaves that
/// are next to each other.
///
/// Keys and values are in arrays that the next changes are read into where they are as long: leaves
/// take copies. With fresh ones a replay would make as much garbage as the log is long, and the
/// heap would grow by it.
///
/// For the one thread that recovers.
final class ReplayChanges implements Changes {
  private static final int CHANGES_MAX = 512;

  /// What keys and values may take, except for one change: a few leaves are made of them at most,
  /// before memory is looked at again.
  private static final int BYTES_MAX = 64 << 10;

  /// How full leaves are made of changes that came in no order of keys, in percent: about as those
  /// of a tree that is filled in that way, which more keys may well be put into.
  private static final int FILL_OF_RANDOM = 75;

  private final ReplayRecords records;
  private final int[] positions;
  private final int end;
  private final int fillPercent;
  private final byte[][] keys = new byte[CHANGES_MAX][];
  private final byte[] @Nullable [] values = new byte[CHANGES_MAX][];
  private int next;
  private int size;

  /// @param sorted the records to apply
  ReplayChanges(ReplayRecords records, ReplaySort sorted) {
    this.records = records;
    this.positions = sorted.positions();
    this.end = sorted.size();
    this.fillPercent = sorted.wereAscending() ? 100 : FILL_OF_RANDOM;
  }

  /// Continues with the next changes.
  ///
  /// @return false if all were passed
  boolean next() {
    records.touch(positions, next, Math.min(end, next + CHANGES_MAX));
    size = 0;
    int bytes = 0;
    while (next < end && size < CHANGES_MAX && bytes < BYTES_MAX) {
      byte[] key = records.key(positions[next], keys[size]);
      byte[] value = records.value(positions[next++], values[size]);
      keys[size] = key;
      values[size++] = value;
      bytes += key.length + (value == null ? 0 : value.length);
    }
    return size > 0;
  }

  @Override
  public int fillPercent() {
    return fillPercent;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte[] key(int index) {
    return keys[index];
  }

  @Override
  public byte @Nullable [] value(int index) {
    return values[index];
  }

  @Override
  public int tag(int index) {
    byte[] value = values[index];
    return value == null ? 0 : value.length;
  }
}
