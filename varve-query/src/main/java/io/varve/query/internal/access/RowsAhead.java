package io.varve.query.internal.access;

import io.varve.ReadView;
import io.varve.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of a run, some of them read ahead, so that the rows of many are read together: reads of
/// a batch wait for memory at the same time, where single ones wait one after the other.
///
/// - (AHEAD-1) The first batch has few rows, so that an answer that is left after its first row has
///   not read many others.
/// - (AHEAD-2) Rows are read when the first value of their batch is asked for: an answer of keys
///   reads none.
/// - (AHEAD-3) A batch takes no more than [#BYTES_MAX], by the longest row so far.
///
/// For a view that does not change, and for one thread.
final class RowsAhead implements SortedRun {
  private static final int FIRST_ROWS = 4;

  /// As many as the store reads side by side.
  private static final int ROWS_MAX = 32;

  private static final int BYTES_MAX = 1 << 20;

  private final ReadView view;
  private final Space table;
  private final SortedRun keys;

  /// How many rows may be read still.
  private long rowsLeft;

  private List<byte[]> batch = List.of();
  private @Nullable List<byte @Nullable []> values;
  private int index;
  private boolean isStarted;
  private int longestBytes;

  /// @param keys of rows of a table
  /// @param rowsMax more are not asked for
  RowsAhead(ReadView view, Space table, SortedRun keys, long rowsMax) {
    this.view = view;
    this.table = table;
    this.keys = keys;
    this.rowsLeft = rowsMax;
  }

  @Override
  public boolean next() {
    if (index + 1 < batch.size()) {
      index++;
      return true;
    }
    values = null;
    index = 0;
    batch = readKeys((int) Math.min(batchRows(), rowsLeft));
    rowsLeft -= batch.size();
    isStarted = true;
    return !batch.isEmpty();
  }

  private int batchRows() {
    return isStarted ? Math.clamp(BYTES_MAX / Math.max(1, longestBytes), 1, ROWS_MAX) : FIRST_ROWS;
  }

  private List<byte[]> readKeys(int count) {
    List<byte[]> read = new ArrayList<>(count);
    while (read.size() < count && keys.next()) {
      read.add(keys.key());
    }
    return read;
  }

  @Override
  public byte[] key() {
    return batch.get(index);
  }

  /// The value of the row, or null if there is none.
  byte @Nullable [] value() {
    List<byte @Nullable []> read = values;
    if (read == null) {
      read = view.getAll(table, batch);
      values = read;
      for (byte[] value : read) {
        longestBytes = Math.max(longestBytes, value == null ? 0 : value.length);
      }
    }
    return read.get(index);
  }

  @Override
  public byte[] payload() {
    throw new UnsupportedOperationException("values are read by their keys");
  }

  @Override
  public void close() {
    batch = List.of();
    keys.close();
  }
}
