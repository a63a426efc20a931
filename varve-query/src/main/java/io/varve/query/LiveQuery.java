package io.varve.query;

import io.varve.Commit;
import io.varve.Store;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.Watch.Committed;
import io.varve.query.internal.access.Ask;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Alternatives;
import io.varve.query.internal.statement.Statement.Output;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The rows that a condition is true of, and then what each commit changes of that: [Found#live()],
/// and [Query#live()] for texts.
///
/// The first answer is of a snapshot, and each commit after it is reported once, in commit order.
/// Only changes of rows of the answer are: those that come into it, leave it, or change within it.
///
/// With an order alone the first answer comes in it, and a program that shows the rows sorts
/// changes in. With a limit or an offset the answer is the first rows of the order, or of the keys
/// where there is none. A row that leaves then has a successor, which comes in the same step. These
/// rows, and as many more, are on the heap. When more have left than were known to follow, the
/// answer is read again: that step has the changes of all commits up to its own, each row once.
///
/// What a codec or a getter throws comes out of [#next] or [#start()]. The answer is then not
/// known, and `next` refuses until `start` gives a new one. What waits for the reader is bounded
/// ([Watch]). Some rows of the answer are kept on the heap: those whose values have more than 256
/// bytes, since the store does not report what a large value was.
///
/// For one thread at a time; `close` for any.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class LiveQuery<K, V> implements AutoCloseable {
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

  private final LiveRows<K, V> rows;
  private final Watch watch;

  /// Whether the answer is not known, since a change of it, or the answer itself, failed. Of the
  /// reader.
  private boolean isLost;

  private LiveQuery(LiveRows<K, V> rows, Watch watch) {
    this.rows = rows;
    this.watch = watch;
  }

  /// The rows of a table.
  static <K, V> LiveQuery<K, V> of(
      Store store, TableAccess<K, V> access, Ask ask, Visibility visibility, long bytesMax) {
    Watch watch = watch(store, access, ask, visibility, bytesMax);
    return new LiveQuery<>(rows(access, ask, watch), watch);
  }

  /// Columns that are made of the rows of a table.
  static <K, V> LiveQuery<Object, Row> of(
      Store store,
      TableAccess<K, V> access,
      Ask ask,
      List<Output> outputs,
      Visibility visibility,
      long bytesMax) {
    Watch watch = watch(store, access, ask, visibility, bytesMax);
    return new LiveQuery<>(new LiveColumns<>(rows(access, ask, watch), outputs), watch);
  }

  /// Checks the bounds first: a caller that is refused has nothing to close.
  private static Watch watch(
      Store store, TableAccess<?, ?> access, Ask ask, Visibility visibility, long bytesMax) {
    if (isCut(ask)) {
      FirstLiveRows.rowsNeeded(ask);
    }
    return store.watch(access.indexed().space(), visibility, bytesMax);
  }

  private static boolean isCut(Ask ask) {
    return ask.limit() != Ask.ALL || ask.offset() != 0;
  }

  private static <K, V> LiveRows<K, V> rows(TableAccess<K, V> access, Ask ask, Watch watch) {
    Ask joined = ask.where(Alternatives.joined(ask.where()));
    return isCut(ask)
        ? new FirstLiveRows<>(access, joined, watch)
        : new WholeLiveRows<>(access, joined, watch);
  }

  /// Gives the rows as of now, in the order that was asked for. From now on [#next] gives what
  /// changes of them.
  public Answer<K, V> start() {
    isLost = true;
    Answer<K, V> answer = rows.start();
    isLost = false;
    return answer;
  }

  /// Waits for the next commit that changes the answer, as [Watch#next] does.
  ///
  /// @param timeout how long at most; zero for no wait
  /// @return null if there was none in that time
  /// @throws IllegalStateException if the query was not started, is closed, or its table was
  ///   dropped; or the last `start` or `next` failed
  public @Nullable Step<K, V> next(Duration timeout) {
    if (isLost) {
      throw new IllegalStateException(
          "the answer of a live query is not known, since a call of start or next failed;"
              + " call start for a new one");
    }
    long nanos = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    long since = System.nanoTime();
    while (true) {
      long left = Math.max(0, nanos - (System.nanoTime() - since));
      Committed committed = watch.next(Duration.ofNanos(left));
      if (committed == null) {
        return null;
      }
      if (committed.areMissed()) {
        return new Step<>(committed.commit(), List.of());
      }
      isLost = true;
      Step<K, V> step = rows.apply(committed);
      isLost = false;
      if (step != null) {
        return step;
      }
    }
  }

  /// Ends the wait of the reader, and what the store does for it. Idempotent.
  @Override
  public void close() {
    watch.close();
  }
}
