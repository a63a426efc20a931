package io.varve.query.internal.access;

import io.varve.query.Attribute;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gets the rows of the keys that a path finds, and gives those that the residual conditions are
/// true of. Values that no caller asks for are not read.
final class RowSource<K, V> implements RowStream<K, V> {
  private final Reading<K, V> reading;
  private final SortedRun keys;
  private final boolean hasValues;
  private final @Nullable RowsAhead ahead;
  private final @Nullable HeldRows<K, V> held;
  private final @Nullable EntryRun covering;
  private final @Nullable EntryValues entryValues;
  private final List<Conjunct> residual;
  private final Scope scope = new RowScope();

  private byte[] keyBytes = {};
  private byte @Nullable [] valueBytes;
  private @Nullable K key;
  private @Nullable V value;

  /// Whether the entry of this row was read, and has all its values.
  private boolean isEntryRead;

  private boolean isEntryWhole;

  /// @param hasValues whether the payloads of the run are the values of the rows
  /// @param covering the run, if its entries have all that is asked of the rows
  RowSource(
      Reading<K, V> reading,
      SortedRun keys,
      boolean hasValues,
      @Nullable EntryRun covering,
      List<Conjunct> residual) {
    this.reading = reading;
    this.keys = keys;
    this.hasValues = hasValues;
    this.ahead = keys instanceof RowsAhead rows ? rows : null;
    this.held = reading.values() instanceof HeldRows<K, V> rows ? rows : null;
    this.covering = covering;
    this.entryValues = covering == null ? null : new EntryValues(covering.index());
    this.residual = residual;
  }

  @Override
  public boolean next() {
    while (keys.next()) {
      keyBytes = keys.key();
      valueBytes = hasValues ? keys.payload() : null;
      key = null;
      value = null;
      isEntryRead = false;
      if (isThere() && (residual.isEmpty() || isFound())) {
        reading.meter().rowsFound++;
        return true;
      }
    }
    return false;
  }

  /// Takes the object of a map or a cache once, so that the one that is compared is the one that is
  /// given. It may be gone since the view was taken.
  private boolean isThere() {
    if (held == null) {
      return true;
    }
    reading.meter().rowsRead++;
    value = held.find(key());
    return value != null;
  }

  private boolean isFound() {
    for (Conjunct conjunct : residual) {
      if (!Evaluation.isTrue(conjunct.expression(), scope)) {
        return false;
      }
    }
    return true;
  }

  /// The row, until the next move. What no caller asks for is not read.
  Scope scope() {
    return scope;
  }

  private final class RowScope implements Scope {
    @Override
    public @Nullable Object key(int source) {
      return RowSource.this.key();
    }

    @Override
    public @Nullable Object value(int source) {
      return RowSource.this.value();
    }

    @Override
    public @Nullable Object attribute(int source, Attribute<?, ?> attribute) {
      return RowSource.this.attribute(attribute);
    }
  }

  @Override
  public @Nullable Object attribute(Attribute<?, ?> attribute) {
    return entryValues != null && isEntryWhole()
        ? entryValues.value(attribute)
        : RowStream.super.attribute(attribute);
  }

  private boolean isEntryWhole() {
    if (!isEntryRead) {
      isEntryWhole = covering != null && entryValues != null && entryValues.read(covering.entry());
      isEntryRead = true;
    }
    return isEntryWhole;
  }

  @Override
  public byte[] keyBytes() {
    return keyBytes;
  }

  @Override
  public byte[] valueBytes() {
    byte[] bytes = valueBytes;
    if (bytes == null && held != null) {
      bytes = held.hold(value());
      valueBytes = bytes;
    } else if (bytes == null) {
      bytes = ahead != null ? ahead.value() : reading.get(keyBytes);
      if (bytes == null) {
        throw new IllegalStateException(
            "an index has an entry without a row: space="
                + reading.table().name()
                + ", keyBytes="
                + keyBytes.length
                + "; verify the index, and drop and create it if it is damaged");
      }
      valueBytes = bytes;
    }
    return bytes;
  }

  @Override
  public K key() {
    K decoded = key;
    if (decoded == null) {
      decoded = reading.values().key(keyBytes);
      key = decoded;
    }
    return decoded;
  }

  @Override
  public V value() {
    V decoded = value;
    if (decoded == null) {
      reading.meter().rowsRead++;
      decoded = reading.values().value(keyBytes, valueBytes());
      value = decoded;
    }
    return decoded;
  }

  @Override
  public void close() {
    keys.close();
  }
}
