package io.varve.query;

import io.varve.Snapshot;
import io.varve.Space;
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

/// All rows that a condition is true of. What a commit changes of them follows from the values
/// before and after; only of large values, which the watch does not report, the rows are kept.
final class WholeLiveRows<K, V> implements LiveRows<K, V> {
  /// A quarter of the smallest page: shorter values before are always reported.
  private static final int REPORTED_BYTES_MAX = 256;

  private final TableAccess<K, V> access;
  private final Ask ask;
  private final Watch watch;

  /// The rows of the answer whose values may be in extents.
  private final NavigableMap<byte[], V> large = new TreeMap<>(Arrays::compareUnsigned);

  WholeLiveRows(TableAccess<K, V> access, Ask ask, Watch watch) {
    this.access = access;
    this.ask = ask;
    this.watch = watch;
  }

  @Override
  public Answer<K, V> start() {
    return IndexDroppedException.whole(this::read);
  }

  private Answer<K, V> read() {
    large.clear();
    Space space = access.indexed().space();
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    try (Snapshot snapshot = watch.start();
        RowStream<K, V> rows = access.rows(snapshot, ask, new Meter())) {
      while (rows.next()) {
        byte[] key = rows.keyBytes();
        entries.add(Map.entry(rows.key(), rows.value()));
        Long length = snapshot.get(space, key, value -> value.byteSize());
        if (length != null && length > REPORTED_BYTES_MAX) {
          large.put(key.clone(), rows.value());
        }
      }
      return new Answer<>(snapshot.lastCommit(), List.copyOf(entries));
    }
  }

  @Override
  public @Nullable Step<K, V> apply(Watch.Committed committed) {
    List<Change<K, V>> changes = new ArrayList<>();
    for (Watch.Change change : committed.changes()) {
      add(change, changes);
    }
    return changes.isEmpty() ? null : new Step<>(committed.commit(), List.copyOf(changes));
  }

  private void add(Watch.Change change, List<Change<K, V>> changes) {
    byte[] keyBytes = change.key();
    K key = access.table().key(keyBytes);
    V kept = large.remove(keyBytes);
    V before = kept == null ? matching(keyBytes, key, change.before()) : kept;
    V after = matching(keyBytes, key, change.after());
    byte[] bytes = change.after();
    if (after != null && bytes != null && bytes.length > REPORTED_BYTES_MAX) {
      large.put(keyBytes, after);
    }
    if (before != null || after != null) {
      changes.add(new Change<>(key, before, after));
    }
  }

  /// The value of a row that the condition is true of, or null.
  private @Nullable V matching(byte[] keyBytes, K key, byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    V value = access.table().value(keyBytes, bytes);
    return Evaluation.isTrue(ask.where(), Scope.of(key, value)) ? value : null;
  }
}
