package io.varve.query.internal.access;

import io.varve.ReadView;
import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows of one table, found by the values of expressions: what a join asks again and again.
///
/// - (JOIN-1) Rows are in a hash table by the bytes of these values, in which equal values of all
///   types are the same. When they take more than the budget, all are in a sorted file instead.
/// - (JOIN-2) Rows whose values have no such bytes, those of classes of the program, stay in a list
///   in memory. A search for such values gives them all.
/// - (JOIN-3) Rows with a null among the values are left out: null equals nothing.
/// - (JOIN-4) Objects of a map or a cache stay on the heap, and rows have their numbers. So the
///   object that was found is the one that is given.
///
/// For one thread. Close it.
///
/// @param <K> the keys
/// @param <V> the values
public final class JoinTable<K, V> implements AutoCloseable {
  /// About what a row takes in memory on top of its bytes.
  private static final int ROW_OVERHEAD_BYTES = 160;

  private final Access<K, V> access;
  private final SortSettings settings;
  private final List<PartCodec> codecs;
  private final List<V> objects = new ArrayList<>();
  private final List<byte[]> withoutBytes = new ArrayList<>();
  private final Map<ByteBuffer, List<byte[]>> inMemory = new HashMap<>();
  private long bytes;
  private long added;
  private @Nullable KeySorter sorter;
  private @Nullable BlockFile file;

  private JoinTable(Access<K, V> access, int parts, SortSettings settings) {
    this.access = access;
    this.settings = settings;
    this.codecs =
        Collections.nCopies(parts, new PartCodec(false, NullOrder.FIRST, null, Integer.MAX_VALUE));
  }

  /// Reads the rows of a condition.
  ///
  /// @param where of source 0 alone, with its parameters bound
  /// @param by what the rows are found by, of source 0 alone
  public static <K, V> JoinTable<K, V> of(
      Access<K, V> access,
      ReadView view,
      Expression where,
      List<Expression> by,
      SortSettings settings) {
    var table = new JoinTable<>(access, by.size(), settings);
    boolean isFilled = false;
    try (Rows<K, V> rows = access.rows(view, Access.Request.of(where))) {
      Scope row = scope(rows);
      @Nullable Object[] values = new @Nullable Object[by.size()];
      while (rows.next()) {
        for (int index = 0; index < values.length; index++) {
          values[index] = Values.normal(Evaluation.value(by.get(index), row));
        }
        table.add(values, rows);
      }
      table.writeSorted();
      isFilled = true;
      return table;
    } finally {
      if (!isFilled) {
        table.close();
      }
    }
  }

  private static Scope scope(Rows<?, ?> rows) {
    return new Scope() {
      @Override
      public @Nullable Object key(int source) {
        return rows.key();
      }

      @Override
      public @Nullable Object value(int source) {
        return rows.value();
      }
    };
  }

  /// The bytes of values, or null if some have none.
  private byte @Nullable [] bytes(@Nullable Object[] values) {
    var sink = new ByteSink();
    boolean areWhole = true;
    for (int index = 0; index < values.length; index++) {
      areWhole &= codecs.get(index).write(values[index], sink) < 0;
    }
    return areWhole ? sink.toBytes() : null;
  }

  private static boolean hasNull(@Nullable Object[] values) {
    for (Object value : values) {
      if (value == null) {
        return true;
      }
    }
    return false;
  }

  private void add(@Nullable Object[] values, Rows<K, V> rows) {
    V value = rows.value();
    if (value == null || hasNull(values)) {
      return;
    }
    byte[] by = bytes(values);
    byte[] row = row(rows, value);
    if (by == null) {
      withoutBytes.add(row);
    } else if (sorter != null) {
      sorter.add(numbered(by), row);
    } else {
      inMemory.computeIfAbsent(ByteBuffer.wrap(by), _ -> new ArrayList<>(1)).add(row);
      bytes += by.length + row.length + ROW_OVERHEAD_BYTES;
      if (bytes > settings.memoryBytes()) {
        sorter = sorting();
      }
    }
  }

  /// The length of the key, the key, and the value or its number.
  private byte[] row(Rows<K, V> rows, V value) {
    byte[] key = rows.keyBytes();
    byte[] valueBytes = access.objects() == null ? rows.valueBytes() : hold(value);
    if (valueBytes == null) {
      valueBytes = access.table().values().encode(value);
    }
    return ByteBuffer.allocate(Integer.BYTES + key.length + valueBytes.length)
        .putInt(key.length)
        .put(key)
        .put(valueBytes)
        .array();
  }

  private byte[] hold(V object) {
    objects.add(object);
    return ByteBuffer.allocate(Integer.BYTES).putInt(objects.size() - 1).array();
  }

  /// Rows that are found together stay in the order in which they came.
  private byte[] numbered(byte[] by) {
    return new ByteSink().add(by).addBigEndian(added++, Long.BYTES).toBytes();
  }

  /// A sorter that has the rows which were in memory.
  private KeySorter sorting() {
    var made =
        new KeySorter(
            new SortSettings(settings.memoryBytes() / 2, settings.directory()), new Meter());
    boolean isFilled = false;
    try {
      Iterator<Map.Entry<ByteBuffer, List<byte[]>>> entries = inMemory.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<ByteBuffer, List<byte[]>> entry = entries.next();
        for (byte[] row : entry.getValue()) {
          made.add(numbered(entry.getKey().array()), row);
        }
        entries.remove();
      }
      isFilled = true;
      return made;
    } finally {
      if (!isFilled) {
        made.close();
      }
    }
  }

  private void writeSorted() {
    if (sorter != null) {
      long startBytesMax = settings.memoryBytes() / 4;
      file = BlockFile.write(sorter.sorted(), settings.directory(), startBytesMax);
    }
  }

  /// The rows of which the expressions have these values, in the order in which they came. It may
  /// give others too, where values have no bytes.
  ///
  /// @param values in their normal form
  public Rows<K, V> find(@Nullable Object[] values) {
    if (hasNull(values)) {
      return new Matches(Collections.emptyIterator());
    }
    byte[] by = bytes(values);
    if (by == null) {
      return new Matches(withoutBytes.iterator());
    }
    return new Matches(
        file != null
            ? iterator(file.find(by))
            : inMemory.getOrDefault(ByteBuffer.wrap(by), List.of()).iterator());
  }

  private static Iterator<byte[]> iterator(BlockFile.Pairs pairs) {
    return new Iterator<>() {
      private boolean isThere = pairs.next();

      @Override
      public boolean hasNext() {
        return isThere;
      }

      @Override
      public byte[] next() {
        byte[] payload = pairs.payload();
        isThere = pairs.next();
        return payload;
      }
    };
  }

  @Override
  public void close() {
    inMemory.clear();
    withoutBytes.clear();
    objects.clear();
    try (BlockFile _ = file) {
      if (sorter != null) {
        sorter.close();
      }
    }
  }

  /// Rows that were found.
  private final class Matches implements Rows<K, V> {
    private final Iterator<byte[]> rest;
    private byte[] keyBytes = {};
    private byte[] valueBytes = {};

    Matches(Iterator<byte[]> rest) {
      this.rest = rest;
    }

    @Override
    public boolean next() {
      if (!rest.hasNext()) {
        return false;
      }
      ByteBuffer row = ByteBuffer.wrap(rest.next());
      keyBytes = new byte[row.getInt()];
      row.get(keyBytes);
      valueBytes = new byte[row.remaining()];
      row.get(valueBytes);
      return true;
    }

    @Override
    public K key() {
      return access.table().key(keyBytes);
    }

    @Override
    public V value() {
      return access.objects() == null
          ? access.table().value(keyBytes, valueBytes)
          : objects.get(ByteBuffer.wrap(valueBytes).getInt());
    }

    @Override
    public byte[] keyBytes() {
      return keyBytes;
    }

    @Override
    public void close() {}
  }
}
