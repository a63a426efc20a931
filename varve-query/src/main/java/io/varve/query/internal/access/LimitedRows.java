package io.varve.query.internal.access;

/// The rows of an answer after the first ones, up to a limit.
final class LimitedRows<K, V> implements RowStream<K, V> {
  private final RowStream<K, V> rows;
  private long skipped;
  private long left;

  LimitedRows(RowStream<K, V> rows, long offset, long limit) {
    this.rows = rows;
    this.skipped = offset;
    this.left = limit;
  }

  @Override
  public boolean next() {
    while (skipped > 0) {
      skipped--;
      if (!rows.next()) {
        left = 0;
      }
    }
    if (left == 0) {
      return false;
    }
    left--;
    return rows.next();
  }

  @Override
  public K key() {
    return rows.key();
  }

  @Override
  public V value() {
    return rows.value();
  }

  @Override
  public byte[] keyBytes() {
    return rows.keyBytes();
  }

  @Override
  public void close() {
    rows.close();
  }
}
