package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a job over a stream does: a mapper makes pairs of keys and values of each element, a
/// combiner makes one of two values of a key, a reducer makes a result of what is left, and a
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
public final class MapReduce<E, K, V, R> {
  /// The least budget.
  public static final long BUDGET_BYTES_MIN = 64 << 10;

  private static final int DEFAULT_HEAP_SHARE = 5;

  private final Plan<E, K, V, R> plan;

  private MapReduce(Plan<E, K, V, R> plan) {
    this.plan = plan;
  }

  /// A job that maps. Say how it goes on by [#combine] or [#reduce], or both.
  ///
  /// @param mapper called by several threads at once
  public static <E, K, V> MapReduce<E, K, V, V> map(Mapper<? super E, K, V> mapper) {
    ClassLoader loader = MapReduce.class.getClassLoader();
    Marshaller<K> keys = untyped(Marshallers.ofKeys(Object.class, loader));
    Marshaller<V> values = untyped(Marshallers.ofType(Object.class, loader));
    long budget = Math.max(BUDGET_BYTES_MIN, Runtime.getRuntime().maxMemory() / DEFAULT_HEAP_SHARE);
    return new MapReduce<>(
        new Plan<>(
            Objects.requireNonNull(mapper, "mapper"),
            null,
            null,
            keys,
            values,
            Runtime.getRuntime().availableProcessors(),
            budget,
            null));
  }

  @SuppressWarnings("unchecked") // it writes and reads any object
  private static <T> Marshaller<T> untyped(Marshaller<Object> marshaller) {
    return (Marshaller<T>) marshaller;
  }

  /// Makes one of two values of a key, as they come. Without a reducer it makes the results.
  ///
  /// @param combiner associative and commutative; called by several threads at once, each with
  ///   values of its own, the first of which it may change and give back
  public MapReduce<E, K, V, R> combine(BinaryOperator<V> combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return with(
        combiner, plan.keys(), plan.values(), plan.threads(), plan.budgetBytes(), plan.directory());
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
            plan.threads(),
            plan.budgetBytes(),
            plan.directory()));
  }

  /// Sets how keys and values are turned into bytes, to measure them and to write them to disk.
  /// Default: [Marshallers#ofKeys] and [Marshallers#ofType] of objects of the JDK.
  ///
  /// @param keys gives equal bytes for equal keys, and for no others
  public MapReduce<E, K, V, R> marshallers(Marshaller<K> keys, Marshaller<V> values) {
    return with(
        plan.combiner(),
        Objects.requireNonNull(keys, "keys"),
        Objects.requireNonNull(values, "values"),
        plan.threads(),
        plan.budgetBytes(),
        plan.directory());
  }

  /// Sets how many threads map. Default: one for each core.
  public MapReduce<E, K, V, R> threads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("threads=" + count + ": must be 1 or more");
    }
    return with(
        plan.combiner(), plan.keys(), plan.values(), count, plan.budgetBytes(), plan.directory());
  }

  /// Sets how many bytes the tables of all threads may take together, as measured, before some are
  /// written to disk; they may take half as much again meanwhile. What is written takes a page
  /// cache of a quarter of the budget on top, 4 MB to 64 MB, and memory to sort a table. Default: a
  /// fifth of the heap.
  ///
  /// @param bytes at least [#BUDGET_BYTES_MIN]
  public MapReduce<E, K, V, R> budgetBytes(long bytes) {
    if (bytes < BUDGET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "budgetBytes=" + bytes + ": must be " + BUDGET_BYTES_MIN + " or more");
    }
    return with(
        plan.combiner(), plan.keys(), plan.values(), plan.threads(), bytes, plan.directory());
  }

  /// Sets where tables are written to: to a directory of the job's own in the one given. Default:
  /// in that of temporary files. It is encrypted by a key that is nowhere written, and deleted when
  /// the job is done; that of a process that was killed, `varve-mapreduce-` and a number, is
  /// deleted by the next job of the same user that writes tables to the same place.
  public MapReduce<E, K, V, R> spillDirectory(Path directory) {
    return with(
        plan.combiner(),
        plan.keys(),
        plan.values(),
        plan.threads(),
        plan.budgetBytes(),
        Objects.requireNonNull(directory, "directory"));
  }

  private MapReduce<E, K, V, R> with(
      @Nullable BinaryOperator<V> combiner,
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

  /// Starts a job over a stream and returns at once.
  ///
  /// @param elements taken by many threads at once, whether or not it is parallel; the job closes
  ///   it; so does this method where it throws
  /// @throws IllegalStateException if there is neither a combiner nor a reducer
  public <T> Job<T> start(Stream<? extends E> elements, Collator<K, R, T> collator) {
    Objects.requireNonNull(elements, "elements");
    boolean hasStarted = false;
    try {
      if (plan.combiner() == null && plan.reducer() == null) {
        throw new IllegalStateException(
            "nothing says how the values of a key become one: give a combiner or a reducer");
      }
      RunningJob<E, K, V, R, T> job =
          new RunningJob<>(plan, elements, Objects.requireNonNull(collator, "collator"));
      job.start();
      hasStarted = true;
      return job;
    } finally {
      if (!hasStarted) {
        elements.close();
      }
    }
  }

  /// Runs a job over a stream, as [#start] does, and waits for its result as [Job#join] does.
  public <T> T run(Stream<? extends E> elements, Collator<K, R, T> collator) {
    return start(elements, collator).join();
  }

  /// Runs a job over a stream and gives the results of all keys, which must find room on the heap.
  public Map<K, R> run(Stream<? extends E> elements) {
    return run(
        elements,
        results -> {
          Map<K, R> map = new HashMap<>();
          results.forEach(result -> map.put(result.getKey(), result.getValue()));
          return map;
        });
  }
}
