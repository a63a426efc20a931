package io.varve.query.internal.access;

import java.util.function.LongSupplier;
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
/// - (KEYBATCH-4) Keys that are no numbers stay in the order of the run while the rows before them
///   were in memory. To sort them would take longer than the reads that it spares.
///
/// For one thread.
final class KeyBatches implements SortedRun {
  private static final int FIRST_KEYS = 4;

  /// A key takes a twentieth of what it takes to read its row, as the planner has it.
  private static final int GROWTH = 64;

  private static final int LIMITED_GROWTH = 8;

  /// So many rows show whether rows are in memory.
  private static final int CHECKED_KEYS = 64;

  /// Rows are in memory if fewer than one of so many had a page loaded.
  private static final int LOADED_PART = 8;

  /// Keys that are not sorted, until pages that were loaded are counted again.
  private static final int UNSORTED_KEYS = 4_096;

  private static final byte[] NONE = {};

  /// Of more keys, the first row of a batch would be late, and its files long.
  private static final long KEYS_MAX = 1 << 24;

  private final SortedRun keys;
  private final SortSettings settings;
  private final Meter meter;

  /// How many keys may be read still.
  private long keysLeft;

  private final int growth;
  private final LongSupplier loads;
  private long batchKeys = FIRST_KEYS;
  private long loadsBefore;

  /// How many keys the newest batch had, and whether they were other than numbers.
  private long readKeys;

  private boolean areTexts;
  private @Nullable SortedRun batch;

  /// @param keys of rows, each once
  /// @param keysMax more are not asked for
  /// @param isLimited whether the answer may end before its last row
  /// @param loads how many pages the store has loaded so far
  KeyBatches(
      SortedRun keys,
      SortSettings settings,
      Meter meter,
      long keysMax,
      boolean isLimited,
      LongSupplier loads) {
    this.keys = keys;
    this.settings = settings;
    this.meter = meter;
    this.keysLeft = keysMax;
    this.growth = isLimited ? LIMITED_GROWTH : GROWTH;
    this.loads = loads;
  }

  @Override
  public boolean next() {
    if (batch != null && batch.next()) {
      return true;
    }
    closeBatch();
    SortedRun read = areInMemory() ? new Unsorted(UNSORTED_KEYS) : readBatch();
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

  /// Whether the rows of the newest batch were in memory, of keys that are not sorted then.
  private boolean areInMemory() {
    if (!areTexts || readKeys < CHECKED_KEYS) {
      return false;
    }
    long now = loads.getAsLong();
    boolean areInMemory = (now - loadsBefore) * LOADED_PART < readKeys;
    loadsBefore = now;
    return areInMemory && keysLeft > 0;
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
      readKeys = read;
      areTexts = sorter.isMixed();
      if (areTexts && read >= CHECKED_KEYS) {
        loadsBefore = loads.getAsLong();
      }
      batchKeys = Math.min(KEYS_MAX, batchKeys * growth);
      return sorter.sorted();
    } catch (RuntimeException | Error e) {
      sorter.close();
      throw e;
    }
  }

  /// Some keys of the run as they come.
  private final class Unsorted implements SortedRun {
    private long left;

    Unsorted(long keysMax) {
      left = keysMax;
      readKeys = 0;
    }

    @Override
    public boolean next() {
      if (left == 0 || keysLeft == 0 || !keys.next()) {
        return false;
      }
      left--;
      keysLeft--;
      readKeys++;
      return true;
    }

    @Override
    public byte[] key() {
      return keys.key();
    }

    @Override
    public byte[] payload() {
      return NONE;
    }

    @Override
    public void close() {
      // The run is closed with the batches.
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
