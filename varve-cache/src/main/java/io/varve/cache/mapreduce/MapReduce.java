package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.mapreduce.JobControl;
import io.varve.cache.internal.mapreduce.LocalMapping;
import io.varve.cache.internal.mapreduce.Mapping;
import io.varve.cache.internal.mapreduce.PartsMapping;
import io.varve.cache.internal.mapreduce.Plan;
import io.varve.cache.internal.mapreduce.RunningJob;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a job over a stream does: a mapper makes pairs of keys and values of each element, and a
/// combiner makes one of two values of a key. A reducer makes a result of what is left, and a
/// collator one of all results.
///
/// - **Threads:** mappers run on threads of the job, by which the stream is shared out.
/// - **Memory:** pairs are combined as they come, in a table of each thread. Tables are measured
///   while they fill, in bytes, and written to disk when all together pass the budget: there may be
///   any number of keys.
/// - **Immutable:** each method gives another description, which can be run any number of times.
///
/// @param <E> the elements, such as [io.varve.cache.CacheEntry]
/// @param <K> the keys that mappers emit
/// @param <V> the values that mappers emit
/// @param <R> the results of keys
/// @since 1.0
public final class MapReduce<E, K, V, R> {
  /// The least budget.
  public static final long BUDGET_BYTES_MIN = 64 << 10;

  private final Plan<E, K, V, R> plan;

  private MapReduce(Plan<E, K, V, R> plan) {
    this.plan = plan;
  }

  /// A job that maps. Define how it continues by [#combine] or [#reduce], or both.
  ///
  /// @param mapper called by several threads concurrently
  public static <E, K, V> MapReduce<E, K, V, V> map(Mapper<? super E, K, V> mapper) {
    return new MapReduce<>(
        new Plan<>(
            Objects.requireNonNull(mapper, "mapper"),
            null,
            null,
            DefaultMarshaller.KEYS.of(),
            DefaultMarshaller.VALUES.of(),
            0,
            0,
            null));
  }

  /// Makes one of two values of a key, as they come. Without a reducer it makes the results.
  ///
  /// @param combiner associative and commutative; called by several threads concurrently, each with
  ///   values of its own, the first of which it may change and return
  public MapReduce<E, K, V, R> combine(Combiner<V> combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return with(
        combiner,
        plan.keys(),
        plan.values(),
        plan.threadsSet(),
        plan.budgetBytesSet(),
        plan.directory());
  }

  /// Makes the result of a key. Without a combiner all values of a key are kept for it.
  ///
  /// @param reducer called by one thread
  public <S> MapReduce<E, K, V, S> reduce(Reducer<K, V, S> reducer) {
    return new MapReduce<>(
        new Plan<>(
            plan.mapper(),
            plan.combiner(),
            Objects.requireNonNull(reducer, "reducer"),
            plan.keys(),
            plan.values(),
            plan.threadsSet(),
            plan.budgetBytesSet(),
            plan.directory()));
  }

  /// Sets how keys and values are turned into bytes, to measure them and to write them to disk.
  /// Default: [io.varve.cache.Marshallers#ofKeys] and [io.varve.cache.Marshallers#ofType], of
  /// objects of the JDK.
  ///
  /// @param keys gives equal bytes for equal keys, and for no others
  public MapReduce<E, K, V, R> marshallers(Marshaller<K> keys, Marshaller<V> values) {
    return with(
        plan.combiner(),
        Objects.requireNonNull(keys, "keys"),
        Objects.requireNonNull(values, "values"),
        plan.threadsSet(),
        plan.budgetBytesSet(),
        plan.directory());
  }

  /// Sets how many threads map. Default: one for each core.
  public MapReduce<E, K, V, R> threads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("threads=" + count + ": must be 1 or more");
    }
    return with(
        plan.combiner(),
        plan.keys(),
        plan.values(),
        count,
        plan.budgetBytesSet(),
        plan.directory());
  }

  /// Sets how many bytes the tables of all threads may take together, as measured, before some are
  /// written to disk; they may take half as much again until then. What is written takes a page
  /// cache of a quarter of the budget on top, 4 MB to 64 MB. It takes memory to sort a table, too.
  /// Default: a fifth of the heap.
  ///
  /// @param bytes at least [#BUDGET_BYTES_MIN]
  public MapReduce<E, K, V, R> budgetBytes(long bytes) {
    if (bytes < BUDGET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "budgetBytes=" + bytes + ": must be " + BUDGET_BYTES_MIN + " or more");
    }
    return with(
        plan.combiner(), plan.keys(), plan.values(), plan.threadsSet(), bytes, plan.directory());
  }

  /// Sets where tables are written to: to a directory of the job's own in the one given. Default:
  /// in that of temporary files. It is encrypted by a key that is nowhere written, and deleted when
  /// the job is done; the directory of a process that was killed has the name `varve-mapreduce-`
  /// and a number. The next job of the same user that writes tables to the same directory deletes
  /// it.
  public MapReduce<E, K, V, R> spillDirectory(Path directory) {
    return with(
        plan.combiner(),
        plan.keys(),
        plan.values(),
        plan.threadsSet(),
        plan.budgetBytesSet(),
        Objects.requireNonNull(directory, "directory"));
  }

  private MapReduce<E, K, V, R> with(
      @Nullable Combiner<V> combiner,
      Marshaller<K> keys,
      Marshaller<V> values,
      int threads,
      long budgetBytes,
      @Nullable Path directory) {
    return new MapReduce<>(
        new Plan<>(
            plan.mapper(),
            combiner,
            plan.reducer(),
            keys,
            values,
            threads,
            budgetBytes,
            directory));
  }

  /// Starts a job over a stream and returns immediately.
  ///
  /// @param elements taken by many threads concurrently, whether or not it is parallel; the job
  ///   closes it; so does this method where it throws
  /// @throws IllegalStateException if there is neither a combiner nor a reducer
  public <T> Job<T> start(Stream<? extends E> elements, Collator<K, R, T> collator) {
    Objects.requireNonNull(elements, "elements");
    boolean hasStarted = false;
    try {
      JobControl control = new JobControl(1 + plan.threads());
      Job<T> job = started(control, new LocalMapping<>(plan, elements, control), collator);
      hasStarted = true;
      return job;
    } finally {
      if (!hasStarted) {
        elements.close();
      }
    }
  }

  /// Starts a job over elements that are in several processes, and returns immediately. Each
  /// process maps its own, combines and spills; this one merges what they send, reduces and
  /// collates.
  ///
  /// - **Serializable:** mapper, combiner, and marshallers if some are set, are sent. Threads,
  ///   budget and directory hold for each process.
  /// - **Statistics:** those of mapping are sums over all processes.
  ///
  /// @throws IllegalStateException if there is neither a combiner nor a reducer
  /// @throws IllegalArgumentException if what is to be sent is not serializable
  public <T> Job<T> start(Distributed<? extends E> elements, Collator<K, R, T> collator) {
    Parts parts = elements.parts(new PartPlan<>(plan));
    return started(new JobControl(1), new PartsMapping<>(plan, parts), collator);
  }

  private <T> Job<T> started(
      JobControl control, Mapping<K, V> mapping, Collator<K, R, T> collator) {
    if (plan.combiner() == null && plan.reducer() == null) {
      throw new IllegalStateException(
          "nothing defines how the values of a key become one: give a combiner or a reducer");
    }
    RunningJob<K, V, R, T> job =
        new RunningJob<>(plan, control, mapping, Objects.requireNonNull(collator, "collator"));
    job.start();
    return job;
  }

  /// Runs a job over a stream, as [#start] does, and waits for its result as [Job#join] does.
  public <T> T run(Stream<? extends E> elements, Collator<K, R, T> collator) {
    return start(elements, collator).join();
  }

  /// Runs a job over elements of several processes, and waits for its result.
  public <T> T run(Distributed<? extends E> elements, Collator<K, R, T> collator) {
    return start(elements, collator).join();
  }

  /// Runs a job over a stream and gives the results of all keys, which the heap must hold.
  public Map<K, R> run(Stream<? extends E> elements) {
    return run(elements, MapReduce::gathered);
  }

  /// Runs a job over elements of several processes and gives the results of all keys.
  public Map<K, R> run(Distributed<? extends E> elements) {
    return run(elements, MapReduce::gathered);
  }

  private static <K, R> Map<K, R> gathered(Stream<Map.Entry<K, R>> results) {
    Map<K, R> map = new HashMap<>();
    results.forEach(result -> map.put(result.getKey(), result.getValue()));
    return map;
  }
}
