package io.varve.query.internal.access;

/// The rows of an answer after the first ones, up to a limit.
final class LimitedRows<K, V> extends ForwardedRows<K, V> {
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
    for (; skipped > 0; skipped--) {
      if (!rows.next()) {
        skipped = 0;
        left = 0;
        return false;
      }
    }
    if (left == 0) {
      return false;
    }
    left--;
    return rows.next();
  }

  @Override
  RowStream<K, V> rows() {
    return rows;
  }
}
