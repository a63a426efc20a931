package io.varve.query.internal.access;

import io.varve.query.Attribute;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rows in the order of an index. Entries of values that were cut, and begin alike, are together in
/// it but not in order: their rows are sorted before they are given.
final class IndexOrderRows<K, V> implements RowStream<K, V> {
  private final Reading<K, V> reading;
  private final RowSource<K, V> source;
  private final EntryRun entries;
  private final SortForm form;
  private final byte @Nullable [] after;

  /// Rows with values that begin alike, or null.
  private @Nullable SortedRows<K, V> group;

  /// Whether the source is on a row that was not given yet.
  private boolean isAhead;

  IndexOrderRows(
      Reading<K, V> reading,
      RowSource<K, V> source,
      EntryRun entries,
      SortForm form,
      byte @Nullable [] after) {
    this.reading = reading;
    this.source = source;
    this.entries = entries;
    this.form = form;
    this.after = after;
  }

  @Override
  public boolean next() {
    while (true) {
      if (group != null) {
        if (group.next()) {
          return true;
        }
        group.close();
        group = null;
      }
      boolean isThere = isAhead || source.next();
      isAhead = false;
      if (!isThere) {
        return false;
      }
      if (entries.isCut()) {
        group = readGroup();
      } else if (after == null || isAfter(position())) {
        return true;
      }
    }
  }

  private byte[] position() {
    return form.position(source.scope(), source.keyBytes());
  }

  private boolean isAfter(byte[] position) {
    return after == null || Arrays.compareUnsigned(position, after) > 0;
  }

  private SortedRows<K, V> readGroup() {
    var sorter = new KeySorter(reading.settings(), reading.meter());
    try {
      byte[] first = entries.entry();
      do {
        byte[] position = position();
        if (isAfter(position)) {
          sorter.add(position, SortedRows.payload(source));
        }
        isAhead = source.next();
      } while (isAhead && entries.isCutLike(first));
      return new SortedRows<>(reading.values(), sorter.sorted());
    } catch (RuntimeException | Error e) {
      sorter.close();
      throw e;
    }
  }

  @Override
  public byte[] keyBytes() {
    return group != null ? group.keyBytes() : source.keyBytes();
  }

  @Override
  public K key() {
    return group != null ? group.key() : source.key();
  }

  @Override
  public V value() {
    return group != null ? group.value() : source.value();
  }

  @Override
  public @Nullable Object attribute(Attribute<?, ?> attribute) {
    return group != null ? group.attribute(attribute) : source.attribute(attribute);
  }

  @Override
  public void close() {
    try (source) {
      if (group != null) {
        group.close();
      }
    }
  }
}
