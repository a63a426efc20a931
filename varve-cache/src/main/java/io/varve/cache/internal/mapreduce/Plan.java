package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import io.varve.cache.mapreduce.Combiner;
import io.varve.cache.mapreduce.MapReduce;
import io.varve.cache.mapreduce.Mapper;
import io.varve.cache.mapreduce.Reducer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a job does, and with which means.
///
/// @param combiner null to keep all values of a key
/// @param reducer null if the combined value is the result, so that `R` is `V`
/// @param threadsSet 0 for one for each core of the process that maps
/// @param budgetBytesSet 0 for a share of its heap
/// @param directory where the directory of a spill is made; null for that of temporary files
public record Plan<E, K, V, R>(
    Mapper<? super E, K, V> mapper,
    @Nullable Combiner<V> combiner,
    @Nullable Reducer<K, V, R> reducer,
    Marshaller<K> keys,
    Marshaller<V> values,
    int threadsSet,
    long budgetBytesSet,
    @Nullable Path directory) {
  private static final int DEFAULT_HEAP_SHARE = 5;

  /// How many threads map.
  public int threads() {
    return threadsSet == 0 ? Runtime.getRuntime().availableProcessors() : threadsSet;
  }

  /// What all tables of a process may take together.
  public long budgetBytes() {
    return budgetBytesSet == 0
        ? Math.max(
            MapReduce.BUDGET_BYTES_MIN, Runtime.getRuntime().maxMemory() / DEFAULT_HEAP_SHARE)
        : budgetBytesSet;
  }

  /// The result of a key.
  @SuppressWarnings("unchecked") // without a reducer the results are values
  public R reduce(K key, Iterator<V> values) {
    R result = reducer == null ? (R) values.next() : reducer.reduce(key, values);
    return Objects.requireNonNull(result, "a reducer gives a result, not null");
  }
}
