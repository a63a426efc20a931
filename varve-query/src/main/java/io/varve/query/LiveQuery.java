package io.varve.query;

import io.varve.Commit;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Watch;
import io.varve.Watch.Committed;
import io.varve.query.internal.access.Ask;
import io.varve.query.internal.access.Meter;
import io.varve.query.internal.access.RowStream;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The rows that a condition is true of, and then what each commit changes of that: [Found#live()].
///
/// The first answer is of a snapshot, and each commit after it is told once, in commit order. Only
/// changes of rows of the answer are: those that come into it, leave it, or change within it.
///
/// What a codec or a getter throws comes out of [#next]; then call [#start()] again. What waits for
/// the reader is bounded ([Watch]). Rows of the answer whose values have more than 256 bytes are
/// kept on the heap, since the store does not tell what a large value was.
///
/// For one thread at a time; `close` for any.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class LiveQuery<K, V> implements AutoCloseable {
  /// A quarter of the smallest page: shorter values before are told always.
  private static final int TOLD_BYTES_MAX = 256;

  /// The rows at one point in the commit order.
  ///
  /// @param commit the newest one that they show
  /// @param entries the rows
  public record Answer<K, V>(Commit commit, List<Map.Entry<K, V>> entries) {}

  /// What became of a row.
  ///
  /// @param before its value in the answer so far; null if the row comes into it
  /// @param after its value in the answer from now on; null if the row leaves it, by its removal or
  ///   since the condition is not true of it any more
  public record Change<K, V>(K key, @Nullable V before, @Nullable V after) {
    /// Whether the row comes into the answer.
    public boolean isAdded() {
      return before == null;
    }

    /// Whether the row leaves the answer.
    public boolean isRemoved() {
      return after == null;
    }
  }

  /// What a commit changed of the answer.
  ///
  /// @param changes each row once; none if they are missed
  public record Step<K, V>(Commit commit, List<Change<K, V>> changes) {
    /// Whether these changes and later ones were too much for what may wait: call
    /// [LiveQuery#start()] for a new answer.
    public boolean areMissed() {
      return changes.isEmpty();
    }
  }

  private final TableAccess<K, V> access;
  private final Expression where;
  private final Watch watch;

  /// The rows of the answer whose values may be in extents.
  private final NavigableMap<byte[], V> large = new TreeMap<>(Arrays::compareUnsigned);

  LiveQuery(TableAccess<K, V> access, Expression where, Watch watch) {
    this.access = access;
    this.where = where;
    this.watch = watch;
  }

  /// Gives the rows as of now. From now on [#next] gives what changes of them.
  public Answer<K, V> start() {
    large.clear();
    Space space = access.indexed().space();
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    try (Snapshot snapshot = watch.start();
        RowStream<K, V> rows = access.rows(snapshot, Ask.of(where), new Meter())) {
      while (rows.next()) {
        byte[] key = rows.keyBytes();
        entries.add(Map.entry(rows.key(), rows.value()));
        Long length = snapshot.get(space, key, value -> value.byteSize());
        if (length != null && length > TOLD_BYTES_MAX) {
          large.put(key.clone(), rows.value());
        }
      }
      return new Answer<>(snapshot.lastCommit(), List.copyOf(entries));
    }
  }

  /// Waits for the next commit that changes the answer, as [Watch#next] does.
  ///
  /// @param timeout how long at most; zero for no wait
  /// @return null if there was none in that time
  public @Nullable Step<K, V> next(Duration timeout) {
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    long since = System.nanoTime();
    while (true) {
      long left = Math.max(0, nanos - (System.nanoTime() - since));
      Committed committed = watch.next(Duration.ofNanos(left));
      if (committed == null) {
        return null;
      }
      List<Change<K, V>> changes = new ArrayList<>();
      for (Watch.Change change : committed.changes()) {
        add(change, changes);
      }
      if (!changes.isEmpty() || committed.areMissed()) {
        return new Step<>(committed.commit(), List.copyOf(changes));
      }
    }
  }

  private void add(Watch.Change change, List<Change<K, V>> changes) {
    byte[] keyBytes = change.key();
    K key = access.table().keys().decode(keyBytes);
    V kept = large.remove(keyBytes);
    V before = kept == null ? matching(key, change.before()) : kept;
    V after = matching(key, change.after());
    byte[] bytes = change.after();
    if (after != null && bytes != null && bytes.length > TOLD_BYTES_MAX) {
      large.put(keyBytes, after);
    }
    if (before != null || after != null) {
      changes.add(new Change<>(key, before, after));
    }
  }

  /// The value of a row that the condition is true of, or null.
  private @Nullable V matching(K key, byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    V value = access.table().values().decode(bytes);
    return Evaluation.isTrue(where, Scope.of(key, value)) ? value : null;
  }

  /// Ends the wait of the reader, and what the store does for it. Idempotent.
  @Override
  public void close() {
    watch.close();
  }
}
