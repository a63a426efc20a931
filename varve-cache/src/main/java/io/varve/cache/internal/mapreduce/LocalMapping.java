package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The mapping of a stream by threads of this process, each with a table, next to a spill.
///
/// @param <E> the elements
/// @param <K> the keys
/// @param <V> the values
public final class LocalMapping<E, K, V> implements Mapping<K, V> {
  private final Plan<E, K, V, ?> plan;
  private final JobControl control;
  private final JobCounters counters = new JobCounters();
  private final Budget budget;
  private final Spill<K, V> spill;

  // Used by the leader, which forgets them.
  private @Nullable Stream<? extends E> elements;
  private List<WorkerTable<K, V>> tables = List.of();

  private volatile long estimate = Long.MAX_VALUE; // not known yet; written by the leader

  /// @param elements closed once they are mapped, or with this
  public LocalMapping(Plan<E, K, V, ?> plan, Stream<? extends E> elements, JobControl control) {
    this.plan = plan;
    this.elements = elements;
    this.control = control;
    this.budget = new Budget(plan.budgetBytes(), plan.threads());
    this.spill = new Spill<>(plan);
  }

  @Override
  public void map() {
    try (Stream<? extends E> all = Objects.requireNonNull(elements)) {
      elements = null;
      tables = mapAll(all.parallel().spliterator());
    }
  }

  private <P extends E> List<WorkerTable<K, V>> mapAll(Spliterator<P> all) {
    estimate = all.estimateSize();
    Pieces<P> pieces = new Pieces<>(all, plan.threads(), control);
    List<MapWorker<E, K, V>> workers = new ArrayList<>();
    List<Thread> mapping = new ArrayList<>(plan.threads()); // none that has begun goes unnoted
    try {
      for (int i = 0; i < plan.threads(); i++) {
        MapWorker<E, K, V> worker = new MapWorker<>(plan, control, pieces, budget, spill, counters);
        workers.add(worker);
        Thread thread = JobControl.thread("varve-mapreduce-" + i, worker::run);
        control.start(thread);
        mapping.add(thread);
      }
    } catch (Throwable e) { // no memory for another thread: those that run are to end
      control.fail(e);
    }
    for (Thread thread : mapping) {
      JobControl.awaitEnd(thread);
    }
    control.requireRunning();
    estimate = counters.entries();
    return workers.stream().map(MapWorker::table).toList();
  }

  /// The results of what is in tables, and of what is in the spill.
  @Override
  public <R> Iterator<Map.Entry<K, R>> results(Plan<?, K, V, R> reducing) {
    if (spill.count() > 0) {
      return new RunResults<>(reducing, sorted());
    }
    WorkerTable<K, V> largest =
        tables.stream().max(Comparator.comparingInt(WorkerTable::size)).orElseThrow();
    for (WorkerTable<K, V> table : tables) {
      if (table != largest) {
        control.requireRunning();
        largest.absorb(table);
      }
    }
    return new TableResults<>(reducing, largest);
  }

  /// All pairs in the order of their keys.
  public SortedRun<K, V> sorted() {
    List<SortedRun<K, V>> runs = new ArrayList<>();
    if (spill.count() > 0) {
      runs.addAll(spill.runs(control::requireRunning));
    }
    for (WorkerTable<K, V> table : tables) {
      control.requireRunning();
      runs.add(new TableRun<>(table, plan.keys()));
    }
    return new MergedRun<>(plan, runs);
  }

  @Override
  public MapFigures figures() {
    long entries = counters.entries();
    return new MapFigures(
        entries,
        Math.max(entries, estimate),
        counters.bytes(),
        counters.emitted(),
        counters.combined(),
        budget.peak(),
        spill.tables.sum(),
        spill.pairs.sum(),
        spill.bytes.sum(),
        Duration.ofNanos(spill.nanos.sum()));
  }

  @Override
  public void close() {
    try (Stream<? extends E> _ = elements;
        spill) {
      elements = null;
      tables = List.of();
    }
  }
}
