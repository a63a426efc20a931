package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of a space as a snapshot shows them. They do not change.
public final class SnapshotEntries implements EntryStore {
  private final Snapshot snapshot;
  private final Space space;

  /// Makes the entries that a snapshot shows.
  public SnapshotEntries(Snapshot snapshot, Space space) {
    this.snapshot = snapshot;
    this.space = space;
  }

  @Override
  public Space space() {
    return space;
  }

  @Override
  public EntryStore with(Durability durability) {
    throw refusal();
  }

  @Override
  public Pending pending() {
    throw refusal();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return snapshot.get(space, key);
  }

  @Override
  public boolean contains(byte[] key) {
    return snapshot.contains(space, key);
  }

  @Override
  public Cursor cursor(Range range) {
    return snapshot.cursor(space, range);
  }

  @Override
  public long count(Range range) {
    return snapshot.count(space, range);
  }

  private UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "a table of a snapshot does not change: space="
            + space.name()
            + "; change the one that the store or a transaction opens");
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    throw refusal();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    throw refusal();
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    throw refusal();
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    throw refusal();
  }

  @Override
  public void delete(byte[] key) {
    throw refusal();
  }

  @Override
  public void putAll(List<Entry> entries) {
    throw refusal();
  }

  @Override
  public boolean addAll(List<byte[]> keys, byte[] value) {
    throw refusal();
  }

  @Override
  public void deleteRange(Range range) {
    throw refusal();
  }
}
