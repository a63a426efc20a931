package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.Collator;
import io.varve.cache.mapreduce.Job;
import io.varve.cache.mapreduce.JobStatistics;
import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.Progress;
import io.varve.cache.mapreduce.Progress.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A job: a thread that leads it, and what maps.
///
/// (J1) The leader ends last, when all other threads of the job have ended, the stream is closed
/// and the spill is gone; the job is done when the leader has ended. So it ends whatever fails,
/// also where there is no memory to report it.
///
/// (J2) A job that is done holds its result and numbers, and nothing that it was made of.
public final class RunningJob<K, V, R, T> implements Job<T> {
  private final Plan<?, K, V, R> plan;
  private final JobControl control;
  private final Thread leader;
  private final Mapping<K, V> mapping;

  private @Nullable Collator<K, R, T> collator; // used by the leader, which forgets it

  /// Written by the leader before it ends, read by threads that have waited for that.
  private @Nullable T result;

  private final long startNanos = System.nanoTime();

  // Written by the leader, read by any.
  private volatile long mappedNanos; // when mapping ended; 0 before
  private volatile long mergeNanos;
  private volatile long collatedNanos; // when the collator returned; 0 before
  private volatile long endNanos; // when the job was done, or nearly; 0 before
  private volatile @Nullable Results<K, R> results; // while it collates
  private volatile long distinct; // from then on
  private volatile long resultNanos;

  /// @param mapping made with the same control
  public RunningJob(
      Plan<?, K, V, R> plan,
      JobControl control,
      Mapping<K, V> mapping,
      Collator<K, R, T> collator) {
    this.plan = plan;
    this.control = control;
    this.mapping = mapping;
    this.collator = collator;
    this.leader = JobControl.thread("varve-mapreduce", this::lead);
  }

  public void start() {
    control.start(leader);
  }

  private void lead() {
    try {
      result = run(Objects.requireNonNull(collator));
    } catch (Throwable e) { // also errors: a thread that joins gets them
      control.fail(e);
    } finally {
      forget();
      control.close();
    }
  }

  private T run(Collator<K, R, T> by) throws InterruptedException {
    try (mapping) {
      mapping.map();
      mappedNanos = System.nanoTime();
      return collate(by);
    }
  }

  /// Releases the tables and of what the user gave (J2).
  private void forget() {
    Results<K, R> made = results;
    if (made != null) {
      distinct = made.count();
      resultNanos = made.nanos();
      results = null;
    }
    collator = null;
    endNanos = System.nanoTime();
  }

  private T collate(Collator<K, R, T> by) {
    Results<K, R> made = new Results<>(mapping.results(plan), control::requireRunning);
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
    control.requireRunning();
    collatedNanos = System.nanoTime();
    return collated;
  }

  @Override
  public T join() {
    JobControl.awaitEnd(leader);
    control.throwEnd();
    return collated();
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
    MapFigures figures = mapping.figures();
    long done = figures.entries();
    long total = figures.entriesTotal();
    double mean = done == 0 ? 0 : (double) figures.bytes() / done;
    return new Progress(phase, done, total, figures.bytes(), (long) (mean * total));
  }

  @Override
  public JobStatistics statistics() {
    Results<K, R> made = results;
    long now = endNanos == 0 ? System.nanoTime() : endNanos;
    long mapped = mappedNanos == 0 ? now : mappedNanos;
    long reducing = mergeNanos + (made == null ? resultNanos : made.nanos());
    long afterMap = (collatedNanos == 0 ? now : collatedNanos) - mapped;
    MapFigures figures = mapping.figures();
    return new JobStatistics(
        figures.emitted(),
        figures.combined(),
        made == null ? distinct : made.count(),
        figures.tableBytesMax(),
        figures.spills(),
        figures.spilledPairs(),
        figures.spilledBytes(),
        Duration.ofNanos(mapped - startNanos),
        figures.spillTime(),
        Duration.ofNanos(reducing),
        Duration.ofNanos(Math.max(0, afterMap - reducing)));
  }
}
