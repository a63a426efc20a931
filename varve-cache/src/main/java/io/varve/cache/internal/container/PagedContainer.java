package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.StoreClosedException;
import io.varve.cache.Marshaller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/// What containers that have pages share.
///
/// @param <K> the keys
/// @param <V> the values
abstract sealed class PagedContainer<K, V> implements Container<K, V>
    permits PagesContainer, HotContainer {
  final PageEntries entries;
  final Gate gate;
  final Marshaller<K> keys;
  final ValueForm.ByValue<V> values;

  PagedContainer(PageEntries entries, Gate gate, Marshaller<K> keys, Marshaller<V> values) {
    this.entries = entries;
    this.gate = gate;
    this.keys = keys;
    this.values = new ValueForm.ByValue<>(values);
  }

  @Override
  public final V value(Held held) {
    return values.load(held.form());
  }

  /// A value whose form is its bytes.
  final NewValue<V> inBytes(CacheKey<K> key, V value) {
    key.bytes();
    return new NewValue<>(value, values.marshaller().toBytes(value));
  }

  /// Compares bytes, since a value may have come to the heap, as an object, between the two looks.
  @Override
  public final boolean isSame(Held held, Held other) {
    return held.isSameAs(other)
        || (held.expiresAtMillis() == other.expiresAtMillis()
            && Arrays.equals(values.bytes(held.form()), values.bytes(other.form())));
  }

  @Override
  public final void remove(KeyLock<K> lock) {
    remove(lock, entries.durability(lock));
  }

  @Override
  public final void expire(KeyLock<K> lock) {
    remove(lock, Durability.BACKGROUND);
  }

  abstract void remove(KeyLock<K> lock, Durability durability);

  @Override
  public void force(KeyLock<K> lock) {
    entries.force();
  }

  /// A cache that was closed since waits, too: not all containers force when they are closed.
  @Override
  public final void awaitChanges() {
    try {
      entries.awaitChanges();
    } catch (StoreClosedException e) {
      if (!gate.isClosed()) {
        throw e;
      }
      // The close of the store, which follows that of the cache, has forced all.
    }
  }

  @Override
  public Iterator<K> keys(int segmentsStart, int segmentsEnd) {
    return new PageKeys<>(entries, keys, segmentsStart, segmentsEnd);
  }

  /// The store has one point for all spaces, so no thread waits.
  @Override
  public EntrySnapshot<K, V> snapshot(BitSet segments) {
    return snapshot(entries.snapshot(), List.of(), segments);
  }

  /// @param taken of the store, which the result closes
  /// @param onHeap entries that are not in pages
  final EntrySnapshot<K, V> snapshot(Snapshot taken, List<Noted<K>> onHeap, BitSet segments) {
    List<EntryPart<K, V>> parts = new ArrayList<>();
    if (!onHeap.isEmpty()) {
      parts.add(EntryPart.of(onHeap, noted -> new StreamedEntry.OnHeap<>(noted, keys, values)));
    }
    segments.stream()
        .forEach(segment ->
            parts.add(
                new EntryPart<>(
                    entries.counts().of(segment),
                    () -> entries.spliterator(taken, segment, this::streamed))));
    return new EntrySnapshot<>(parts, taken::close);
  }

  private StreamedEntry<K, V> streamed(Cursor cursor) {
    return new StreamedEntry.InPages<>(cursor.key(), cursor.value(), keys, values.marshaller());
  }

  @Override
  public Iterator<Found<K>> entries(int segmentsStart, int segmentsEnd) {
    return new PageKeys<>(entries, keys, segmentsStart, segmentsEnd).found();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    return entries.expired(nowMillis, keys);
  }

  @Override
  public final int segments() {
    return entries.counts().segments();
  }

  @Override
  public final int segmentOf(CacheKey<K> key) {
    return entries.segmentOf(key.bytes());
  }

  @Override
  public long size() {
    return entries.counts().total();
  }

  @Override
  public final long pageEntries() {
    return entries.counts().total();
  }

  @Override
  public long size(int segment) {
    return entries.counts().of(segment);
  }
}
