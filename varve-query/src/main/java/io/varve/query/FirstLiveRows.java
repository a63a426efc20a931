package io.varve.query;

import io.varve.Commit;
import io.varve.Snapshot;
import io.varve.Watch;
import io.varve.query.LiveQuery.Answer;
import io.varve.query.LiveQuery.Change;
import io.varve.query.LiveQuery.Step;
import io.varve.query.internal.access.Ask;
import io.varve.query.internal.access.IndexDroppedException;
import io.varve.query.internal.access.Meter;
import io.varve.query.internal.access.RowStream;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The first rows of an order. It keeps them, those that the offset leaves out, and as many more
/// that follow, so that a row that leaves has a successor. When none is left, the answer is read
/// again from a new snapshot.
///
/// - (FIRST-1) Every row of the condition whose position is [#end] or less is held.
/// - (FIRST-2) There are never more than `heldMax` rows between two commits.
final class FirstLiveRows<K, V> implements LiveRows<K, V> {
  /// How many rows an answer may have, with those that the offset leaves out: each step that
  /// changes one compares all of them.
  static final int ROWS_MAX = 10_000;

  /// Of a limit of one, so that not every removal reads the answer again.
  private static final int SPARE_ROWS_MIN = 16;

  /// A row, with its value as bytes, since values need no `equals`.
  private record Held<K, V>(byte[] keyBytes, K key, V value, byte[] bytes, byte[] position) {}

  private final TableAccess<K, V> access;
  private final Ask ask;
  private final Watch watch;
  private final int heldMax;
  private final NavigableMap<byte[], Held<K, V>> byPosition =
      new TreeMap<>(Arrays::compareUnsigned);
  private final NavigableMap<byte[], Held<K, V>> byKey = new TreeMap<>(Arrays::compareUnsigned);

  /// The position up to which all rows are held; null if all are.
  private byte @Nullable [] end;

  /// Makes one, and reads nothing.
  ///
  /// @throws IllegalArgumentException if limit and offset are more than [#ROWS_MAX]
  FirstLiveRows(TableAccess<K, V> access, Ask ask, Watch watch) {
    this.access = access;
    this.ask = ask.pagedAfter(null);
    this.watch = watch;
    this.heldMax = 2 * rowsNeeded(ask) + SPARE_ROWS_MIN;
  }

  /// How many rows the answer has, with those that the offset leaves out.
  ///
  /// @throws IllegalArgumentException if they are more than [#ROWS_MAX]
  static int rowsNeeded(Ask ask) {
    if (ask.limit() > ROWS_MAX || ask.offset() > ROWS_MAX - ask.limit()) {
      throw new IllegalArgumentException(
          "a live query has too many rows for a limit or an offset: limit="
              + (ask.limit() == Ask.ALL ? "none" : ask.limit())
              + ", offset="
              + ask.offset()
              + ", rowsMax="
              + ROWS_MAX
              + "; lower them, or ask without both");
    }
    return (int) (ask.offset() + ask.limit());
  }

  @Override
  public Answer<K, V> start() {
    Commit commit = read();
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    shown().forEach(row -> entries.add(Map.entry(row.key(), row.value())));
    return new Answer<>(commit, List.copyOf(entries));
  }

  private Commit read() {
    return IndexDroppedException.whole(this::readFirst);
  }

  /// Starts the watch, and reads the first rows of its snapshot.
  private Commit readFirst() {
    byPosition.clear();
    byKey.clear();
    try (Snapshot snapshot = watch.start();
        RowStream<K, V> rows = access.rows(snapshot, ask.within(0, heldMax), new Meter())) {
      while (rows.next()) {
        V value = rows.value();
        hold(row(rows.keyBytes().clone(), rows.key(), value, bytes(value)));
      }
      end = byPosition.size() < heldMax ? null : byPosition.lastKey();
      return snapshot.lastCommit();
    }
  }

  private byte[] bytes(V value) {
    return access.table().values().encode(value);
  }

  private Held<K, V> row(byte[] keyBytes, K key, V value, byte[] bytes) {
    return new Held<>(keyBytes, key, value, bytes, TableAccess.position(ask, keyBytes, key, value));
  }

  private void hold(Held<K, V> row) {
    byPosition.put(row.position(), row);
    byKey.put(row.keyBytes(), row);
  }

  @Override
  public @Nullable Step<K, V> apply(Watch.Committed committed) {
    List<Held<K, V>> before = shown();
    boolean isTouched = false;
    for (Watch.Change change : committed.changes()) {
      isTouched |= apply(change);
    }
    if (!isTouched) {
      return null;
    }
    boolean isShort = end != null && byPosition.size() < rowsNeeded(ask);
    Commit commit = isShort ? read() : committed.commit();
    List<Change<K, V>> changes = changes(before, shown());
    return changes.isEmpty() ? null : new Step<>(commit, List.copyOf(changes));
  }

  /// Whether the change is one of the rows that are held.
  private boolean apply(Watch.Change change) {
    Held<K, V> left = byKey.remove(change.key());
    if (left != null) {
      byPosition.remove(left.position());
    }
    byte[] bytes = change.after();
    if (bytes == null) {
      return left != null;
    }
    K key = access.table().key(change.key());
    V value = access.table().value(change.key(), bytes);
    if (!Evaluation.isTrue(ask.where(), Scope.of(key, value))) {
      return left != null;
    }
    Held<K, V> row = row(change.key(), key, value, bytes(value));
    if (end != null && Arrays.compareUnsigned(row.position(), end) > 0) {
      return left != null;
    }
    hold(row);
    if (byPosition.size() > heldMax) {
      byKey.remove(byPosition.pollLastEntry().getValue().keyBytes());
      end = byPosition.lastKey();
    }
    return true;
  }

  private List<Held<K, V>> shown() {
    return byPosition.values().stream().skip(ask.offset()).limit(ask.limit()).toList();
  }

  /// Rows that left, and then, in their order, those that came or have another value.
  private static <K, V> List<Change<K, V>> changes(
      List<Held<K, V>> before, List<Held<K, V>> after) {
    NavigableMap<byte[], Held<K, V>> left = new TreeMap<>(Arrays::compareUnsigned);
    before.forEach(row -> left.put(row.keyBytes(), row));
    List<Change<K, V>> come = new ArrayList<>();
    for (Held<K, V> row : after) {
      Held<K, V> old = left.remove(row.keyBytes());
      if (old == null || !Arrays.equals(old.bytes(), row.bytes())) {
        come.add(new Change<>(row.key(), old == null ? null : old.value(), row.value()));
      }
    }
    List<Change<K, V>> changes = new ArrayList<>();
    left.values().forEach(row -> changes.add(new Change<>(row.key(), row.value(), null)));
    changes.addAll(come);
    return changes;
  }
}
