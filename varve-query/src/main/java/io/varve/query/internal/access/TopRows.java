package io.varve.query.internal.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// The first rows in the order of their positions, of which there are few.
final class TopRows<K, V> implements RowStream<K, V> {
  private final List<Row<K, V>> rows;
  private int index = -1;

  private record Row<K, V>(byte[] position, byte[] keyBytes, K key, V value) {}

  private TopRows(List<Row<K, V>> rows) {
    this.rows = rows;
  }

  /// Reads all rows of a source, keeps the first ones after a position, and closes it.
  static <K, V> TopRows<K, V> of(
      RowSource<K, V> source, SortForm form, byte @Nullable [] after, int count, Meter meter) {
    Comparator<Row<K, V>> order = Comparator.comparing(Row::position, Arrays::compareUnsigned);
    var heap = new PriorityQueue<Row<K, V>>(Math.max(1, count), order.reversed());
    try (source) {
      while (count > 0 && source.next()) {
        byte[] position = form.position(source.scope(), source.keyBytes());
        if (after != null && Arrays.compareUnsigned(position, after) <= 0) {
          continue;
        }
        Row<K, V> greatest = heap.size() < count ? null : heap.peek();
        if (greatest == null || Arrays.compareUnsigned(position, greatest.position()) < 0) {
          if (greatest != null) {
            heap.poll();
          }
          heap.add(new Row<>(position, source.keyBytes(), source.key(), source.value()));
          meter.sorted++;
        }
      }
    }
    List<Row<K, V>> rows = new ArrayList<>(heap);
    rows.sort(order);
    return new TopRows<>(rows);
  }

  @Override
  public boolean next() {
    return ++index < rows.size();
  }

  @Override
  public K key() {
    return rows.get(index).key();
  }

  @Override
  public V value() {
    return rows.get(index).value();
  }

  @Override
  public byte[] keyBytes() {
    return rows.get(index).keyBytes();
  }

  @Override
  public void close() {
    index = rows.size();
  }
}
