package io.varve.query.internal.access;

import java.util.Arrays;

/// The keys of the rows that index entries stand for, in the order of the entries.
final class EntryRun implements SortedRun {
  private static final byte[] NONE = {};

  private final IndexForm index;
  private final RangeCursor cursor;
  private final Meter meter;
  private final byte[] fixedPrefix;
  private byte[] entry = NONE;
  private byte[] key = NONE;
  private int cutOffset;

  /// @param fixedPrefix of all entries, if they come by their keys in one range
  EntryRun(IndexForm index, RangeCursor cursor, byte[] fixedPrefix, Meter meter) {
    this.index = index;
    this.cursor = cursor;
    this.fixedPrefix = fixedPrefix;
    this.meter = meter;
  }

  @Override
  public boolean next() {
    return cursor.next() && read();
  }

  @Override
  public boolean advanceTo(byte[] rowKey) {
    if (index.isUnique() || fixedPrefix.length == 0) {
      return SortedRun.super.advanceTo(rowKey);
    }
    var target = new ByteSink().add(fixedPrefix).add(rowKey);
    return cursor.advanceTo(target.toBytes()) && read();
  }

  private boolean read() {
    meter.entriesRead++;
    entry = cursor.key();
    PartReader prefix = index.skip(entry);
    cutOffset = prefix.cutOffset();
    key =
        index.isUnique()
            ? cursor.value()
            : Arrays.copyOfRange(entry, prefix.offset(), entry.length);
    return true;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] payload() {
    return NONE;
  }

  /// Whether a value of this entry was cut, and all values up to there are those of another entry.
  boolean isCutLike(byte[] otherEntry) {
    return cutOffset >= 0
        && otherEntry.length >= cutOffset
        && Arrays.equals(entry, 0, cutOffset, otherEntry, 0, cutOffset);
  }

  boolean isCut() {
    return cutOffset >= 0;
  }

  IndexForm index() {
    return index;
  }

  byte[] entry() {
    return entry;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
