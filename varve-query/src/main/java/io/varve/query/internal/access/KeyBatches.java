package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// The keys of a run in batches, each in the order of the keys. Rows that are read in that order
/// share leaves with their neighbours. A leaf that is not in memory is loaded once for a batch. In
/// the order of an index each row may be in another leaf.
///
/// - (KEYBATCH-1) The first batch has few keys, and each later one several times as many. So an
///   answer that is left early has read few keys that it does not need. One that is read to its end
///   has most keys in one batch.
/// - (KEYBATCH-2) A batch takes the memory of a sort. What is more goes to temporary files. It has
///   [#KEYS_MAX] keys at most.
/// - (KEYBATCH-3) A batch ends where no file can be written, or one more would have files merged.
///   Its order spares reads, and no answer depends on it: so none fails for lack of a file.
///
/// For one thread.
final class KeyBatches implements SortedRun {
  private static final int FIRST_KEYS = 4;

  /// A key takes a twentieth of what it takes to read its row, as the planner has it.
  private static final int GROWTH = 64;

  private static final int LIMITED_GROWTH = 8;

  /// Of more keys, the first row of a batch would be late, and its files long.
  private static final long KEYS_MAX = 1 << 24;

  private final SortedRun keys;
  private final SortSettings settings;
  private final Meter meter;

  /// How many keys may be read still.
  private long keysLeft;

  private final int growth;
  private long batchKeys = FIRST_KEYS;
  private @Nullable SortedRun batch;

  /// @param keys of rows, each once
  /// @param keysMax more are not asked for
  /// @param isLimited whether the answer may end before its last row
  KeyBatches(SortedRun keys, SortSettings settings, Meter meter, long keysMax, boolean isLimited) {
    this.keys = keys;
    this.settings = settings;
    this.meter = meter;
    this.keysLeft = keysMax;
    this.growth = isLimited ? LIMITED_GROWTH : GROWTH;
  }

  @Override
  public boolean next() {
    if (batch != null && batch.next()) {
      return true;
    }
    closeBatch();
    SortedRun read = readBatch();
    batch = read;
    return read.next();
  }

  private void closeBatch() {
    SortedRun read = batch;
    batch = null;
    if (read != null) {
      read.close();
    }
  }

  private SortedRun readBatch() {
    var sorter = new RowKeySorter(settings, meter);
    try {
      long count = Math.min(batchKeys, keysLeft);
      long read = 0;
      while (read < count && sorter.hasCapacity() && keys.next()) {
        sorter.add(keys.key());
        read++;
      }
      keysLeft -= read;
      batchKeys = Math.min(KEYS_MAX, batchKeys * growth);
      return sorter.sorted();
    } catch (RuntimeException | Error e) {
      sorter.close();
      throw e;
    }
  }

  private SortedRun current() {
    if (batch == null) {
      throw new IllegalStateException("there is no key here");
    }
    return batch;
  }

  @Override
  public byte[] key() {
    return current().key();
  }

  @Override
  public byte[] payload() {
    return current().payload();
  }

  @Override
  public void close() {
    try (keys) {
      closeBatch();
    }
  }
}
