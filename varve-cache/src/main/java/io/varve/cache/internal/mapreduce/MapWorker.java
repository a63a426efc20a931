package io.varve.cache.internal.mapreduce;

import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.Emitter;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;

/// One thread of a job: takes pieces, maps their elements, and keeps what is emitted in a table.
///
/// @param <E> the elements
/// @param <K> the keys
/// @param <V> the values
public final class MapWorker<E, K, V> implements Emitter<K, V> {
  private final Plan<E, K, V, ?> plan;
  private final JobControl control;
  private final Pieces<? extends E> pieces;
  private final Budget budget;
  private final Spill<K, V> spill;
  private final JobCounters counters;
  private final WorkerTable<K, V> table;

  /// What the budget knows of the table.
  private long reportedBytes;

  private long emitted; // since the counters were updated
  private long reportedCombined;

  public MapWorker(
      Plan<E, K, V, ?> plan,
      JobControl control,
      Pieces<? extends E> pieces,
      Budget budget,
      Spill<K, V> spill,
      JobCounters counters) {
    this.plan = plan;
    this.control = control;
    this.pieces = pieces;
    this.budget = budget;
    this.spill = spill;
    this.counters = counters;
    this.table = new WorkerTable<>(plan);
  }

  /// What was emitted and is not in the spill.
  public WorkerTable<K, V> table() {
    return table;
  }

  /// Maps until there are no more pieces. What fails ends the job.
  public void run() {
    try {
      mapAll(pieces);
    } catch (Throwable e) { // also errors: the job reports what it was
      table.drop(); // first, since the cause may be that there is no memory
      control.fail(e);
    }
  }

  private <P extends E> void mapAll(Pieces<P> from) {
    for (Spliterator<P> piece = from.take(); piece != null; piece = from.take()) {
      try {
        mapPiece(from, piece);
      } finally {
        from.done();
      }
    }
  }

  private <P extends E> void mapPiece(Pieces<P> from, Spliterator<P> piece) {
    boolean maySplit = true; // until it could not: what is left only becomes less
    while (piece.tryAdvance(this::map)) {
      control.requireRunning();
      if (maySplit && from.areWanted()) {
        Spliterator<P> half = piece.trySplit();
        if (half != null) {
          from.give(half);
        }
        maySplit = half != null;
      }
    }
  }

  private void map(E element) {
    plan.mapper().map(element, this);
    long bytes = element instanceof CacheEntry<?, ?> entry ? entry.bytes() : 0;
    counters.mapped(bytes, emitted, table.combined() - reportedCombined);
    emitted = 0;
    reportedCombined = table.combined();
  }

  /// @throws CancellationException if the job has ended
  @Override
  public void emit(K key, V value) {
    control.requireRunning();
    table.add(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    emitted++;
    if (table.bytes() - reportedBytes >= budget.step()) {
      tellBudget();
    }
  }

  private void tellBudget() {
    long bytes = table.bytes();
    boolean isToGo = budget.grow(bytes - reportedBytes, bytes);
    reportedBytes = bytes;
    if (isToGo) {
      spill.write(table, control::requireRunning);
      budget.free(reportedBytes);
      reportedBytes = 0;
    }
  }
}
