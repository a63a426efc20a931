package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// What a job does, and with which means.
///
/// @param combiner null to keep all values of a key
/// @param reducer null if the combined value is the result, so that `R` is `V`
/// @param directory where the directory of a spill is made; null for that of temporary files
record Plan<E, K, V, R>(
    Mapper<? super E, K, V> mapper,
    @Nullable BinaryOperator<V> combiner,
    @Nullable Reducer<K, V, R> reducer,
    Marshaller<K> keys,
    Marshaller<V> values,
    int threads,
    long budgetBytes,
    @Nullable Path directory) {

  /// The result of a key.
  @SuppressWarnings("unchecked") // without a reducer the results are values
  R reduce(K key, Iterator<V> values) {
    R result = reducer == null ? (R) values.next() : reducer.reduce(key, values);
    return Objects.requireNonNull(result, "a reducer gives a result, not null");
  }
}
