package io.varve.cache.mapreduce;

import io.varve.cache.mapreduce.Progress.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A job: a thread that leads it, and those that map.
///
/// (J1) The leader ends last, when all other threads of the job have ended, the stream is closed
/// and the spill is gone; the job is done when the leader has ended. So it ends whatever fails,
/// also where there is no memory to say so.
///
/// (J2) A job that is done holds its result and numbers, and nothing that it was made of.
final class RunningJob<E, K, V, R, T> implements Job<T> {
  private final Plan<E, K, V, R> plan;
  private final JobControl control;
  private final Thread leader;
  private final JobCounters counters = new JobCounters();
  private final Budget budget;
  private final Spill<K, V> spill;

  // Used by the leader, which forgets them.
  private @Nullable Stream<? extends E> elements;
  private @Nullable Collator<K, R, T> collator;

  /// Written by the leader before it ends, read by those who have waited for that.
  private @Nullable T result;

  private final long startNanos = System.nanoTime();

  // Written by the leader, read by any.
  private volatile long estimate = Long.MAX_VALUE; // not known yet
  private volatile long mappedNanos; // when mapping ended; 0 before
  private volatile long mergeNanos;
  private volatile long collatedNanos; // when the collator returned; 0 before
  private volatile long endNanos; // when the job was done, or nearly; 0 before
  private volatile @Nullable Results<K, R> results; // while it collates
  private volatile long distinct; // from then on
  private volatile long resultNanos;

  RunningJob(Plan<E, K, V, R> plan, Stream<? extends E> elements, Collator<K, R, T> collator) {
    this.plan = plan;
    this.elements = elements;
    this.collator = collator;
    this.control = new JobControl(1 + plan.threads());
    this.leader = thread("varve-mapreduce", this::lead);
    this.budget = new Budget(plan.budgetBytes(), plan.threads());
    this.spill = new Spill<>(plan);
  }

  private static Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  void start() {
    control.start(leader);
  }

  private void lead() {
    try {
      result = run(Objects.requireNonNull(elements), Objects.requireNonNull(collator));
    } catch (Throwable e) { // also errors: whoever joins gets them
      control.fail(e);
    } finally {
      forget();
      control.close();
    }
  }

  private T run(Stream<? extends E> of, Collator<K, R, T> by) {
    try (of;
        spill) {
      return collate(mapAll(of.parallel().spliterator()), by);
    }
  }

  /// Lets go of the tables and of what the user gave (J2).
  private void forget() {
    Results<K, R> made = results;
    if (made != null) {
      distinct = made.count();
      resultNanos = made.nanos();
      results = null;
    }
    elements = null;
    collator = null;
    endNanos = System.nanoTime();
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
        Thread thread = thread("varve-mapreduce-" + i, worker::run);
        control.start(thread);
        mapping.add(thread);
      }
    } catch (Throwable e) { // no memory for another thread: those that run are to end
      control.fail(e);
    }
    for (Thread thread : mapping) {
      awaitEnd(thread);
    }
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

  private T collate(List<WorkerTable<K, V>> tables, Collator<K, R, T> by) {
    Results<K, R> made = new Results<>(merged(tables), control::requireGoingOn);
    mergeNanos = System.nanoTime() - mappedNanos;
    results = made;
    T collated;
    try (Stream<Map.Entry<K, R>> stream =
        StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                made, Spliterator.NONNULL | Spliterator.DISTINCT | Spliterator.IMMUTABLE),
            false)) {
      collated = by.collate(stream);
    }
    control.requireGoingOn();
    collatedNanos = System.nanoTime();
    return collated;
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
    List<SortedRun<K, V>> runs = spill.runs(control::requireGoingOn);
    tables.forEach(table -> runs.add(new TableRun<>(table, plan.keys())));
    return new RunResults<>(plan, new MergedRun<>(plan, runs));
  }

  @Override
  public T join() {
    awaitEnd(leader);
    switch (control.end()) {
      case null -> {
        return collated();
      }
      case RuntimeException cause -> throw cause;
      case Error cause -> throw cause;
      case Throwable cause -> throw new CompletionException(cause); // thrown past its declaration
    }
  }

  @SuppressWarnings("NullAway") // null only if the collator gave null, which its type then allows
  private T collated() {
    return result;
  }

  @Override
  public boolean cancel() {
    return control.cancel();
  }

  @Override
  public boolean isDone() {
    return !leader.isAlive();
  }

  @Override
  public Progress progress() {
    boolean areMapped = mappedNanos != 0;
    Phase phase = isDone() ? Phase.DONE : areMapped ? Phase.REDUCING : Phase.MAPPING;
    long entries = counters.entries();
    long total = areMapped ? entries : Math.max(entries, estimate);
    return Progress.of(phase, entries, total, counters.bytes());
  }

  @Override
  public JobStatistics statistics() {
    Results<K, R> made = results;
    long now = endNanos == 0 ? System.nanoTime() : endNanos;
    long mapped = mappedNanos == 0 ? now : mappedNanos;
    long reducing = mergeNanos + (made == null ? resultNanos : made.nanos());
    long afterMap = (collatedNanos == 0 ? now : collatedNanos) - mapped;
    return new JobStatistics(
        counters.emitted(),
        counters.combined(),
        made == null ? distinct : made.count(),
        budget.peak(),
        spill.tables.sum(),
        spill.pairs.sum(),
        spill.bytes.sum(),
        Duration.ofNanos(mapped - startNanos),
        Duration.ofNanos(spill.nanos.sum()),
        Duration.ofNanos(reducing),
        Duration.ofNanos(Math.max(0, afterMap - reducing)));
  }
}
