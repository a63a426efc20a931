package io.varve.cache.mapreduce;

import io.varve.cache.mapreduce.Progress.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A job: a thread that leads it, and those that map.
///
/// (J1) The future is completed last, when all threads of the job but the leader have ended, the
/// stream is closed and the spill is gone.
final class RunningJob<E, K, V, R, T> implements Job<T> {
  private final Plan<E, K, V, R> plan;
  private final Stream<? extends E> elements;
  private final Collator<K, R, T> collator;
  private final JobControl control = new JobControl();
  private final JobCounters counters = new JobCounters();
  private final Budget budget;
  private final Spill<K, V> spill;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  private final long startNanos = System.nanoTime();

  // Written by the leader, read by any.
  private volatile long estimate = Long.MAX_VALUE; // not known yet
  private volatile long mappedNanos; // when mapping ended; 0 before
  private volatile long mergeNanos;
  private volatile long collatedNanos; // when the collator returned; 0 before
  private volatile @Nullable Results<K, R> results;

  RunningJob(Plan<E, K, V, R> plan, Stream<? extends E> elements, Collator<K, R, T> collator) {
    this.plan = plan;
    this.elements = elements;
    this.collator = collator;
    this.budget = new Budget(plan.budgetBytes(), plan.threads());
    this.spill = new Spill<>(plan);
  }

  void start() {
    control.start("varve-mapreduce", this::lead);
  }

  private void lead() {
    @Nullable T result = null;
    try (elements;
        spill) {
      result = collate(mapAll(elements.parallel().spliterator()));
    } catch (Throwable e) { // also errors: whoever joins gets them
      control.fail(e);
    }
    Throwable end = control.end();
    if (end == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(end);
    }
  }

  private <P extends E> List<WorkerTable<K, V>> mapAll(Spliterator<P> all) {
    estimate = all.estimateSize();
    Pieces<P> pieces = new Pieces<>(all, plan.threads(), control);
    List<MapWorker<E, K, V>> workers = new ArrayList<>();
    List<Thread> mapping = new ArrayList<>();
    try {
      for (int i = 0; i < plan.threads(); i++) {
        MapWorker<E, K, V> worker = new MapWorker<>(plan, control, pieces, budget, spill, counters);
        workers.add(worker);
        mapping.add(control.start("varve-mapreduce-" + i, worker::run));
      }
    } catch (Throwable e) { // no memory for another thread: those that run are to end
      control.fail(e);
    }
    mapping.forEach(RunningJob::awaitEnd);
    control.requireGoingOn();
    mappedNanos = System.nanoTime();
    return workers.stream().map(MapWorker::table).toList();
  }

  /// Waits for a thread, whoever interrupts this one meanwhile: it must not outlive the job.
  private static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private T collate(List<WorkerTable<K, V>> tables) {
    Results<K, R> made = new Results<>(merged(tables), control::requireGoingOn);
    mergeNanos = System.nanoTime() - mappedNanos;
    results = made;
    T result;
    try (Stream<Map.Entry<K, R>> stream =
        StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                made, Spliterator.NONNULL | Spliterator.DISTINCT | Spliterator.IMMUTABLE),
            false)) {
      result = collator.collate(stream);
    }
    control.requireGoingOn();
    collatedNanos = System.nanoTime();
    return result;
  }

  /// The results of what is in tables, and of what is in the spill.
  private Iterator<Map.Entry<K, R>> merged(List<WorkerTable<K, V>> tables) {
    if (spill.count() == 0) {
      WorkerTable<K, V> largest =
          tables.stream().max(Comparator.comparingInt(WorkerTable::size)).orElseThrow();
      for (WorkerTable<K, V> table : tables) {
        if (table != largest) {
          control.requireGoingOn();
          largest.absorb(table);
        }
      }
      return new TableResults<>(plan, largest);
    }
    List<SortedRun<K, V>> runs = spill.runs();
    tables.forEach(table -> runs.add(new TableRun<>(table, plan.keys())));
    return new MergedRuns<>(plan, runs);
  }

  @Override
  public T join() {
    try {
      return future.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }

  @Override
  public boolean cancel() {
    if (future.isDone()) {
      return false;
    }
    control.cancel();
    return true;
  }

  @Override
  public boolean isDone() {
    return future.isDone();
  }

  @Override
  public Progress progress() {
    Phase phase = future.isDone() ? Phase.DONE : mappedNanos == 0 ? Phase.MAPPING : Phase.REDUCING;
    return Progress.of(phase, counters.entries(), estimate, counters.bytes());
  }

  @Override
  public JobStatistics statistics() {
    Results<K, R> made = results;
    long now = System.nanoTime();
    long mapped = mappedNanos == 0 ? now : mappedNanos;
    long reducing = mergeNanos + (made == null ? 0 : made.nanos());
    long afterMap = (collatedNanos == 0 ? now : collatedNanos) - mapped;
    return new JobStatistics(
        counters.emitted(),
        counters.combined(),
        made == null ? 0 : made.count(),
        budget.peak(),
        spill.count(),
        spill.pairs.sum(),
        spill.bytes.sum(),
        Duration.ofNanos(mapped - startNanos),
        Duration.ofNanos(spill.nanos.sum()),
        Duration.ofNanos(reducing),
        Duration.ofNanos(Math.max(0, afterMap - reducing)));
  }
}
