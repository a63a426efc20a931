package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.mapreduce.Plan;
import io.varve.cache.internal.mapreduce.RunningPart;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What each process does of a job over several. It is sent by Java serialization; the process that
/// reads it sets which classes are allowed.
///
/// @param <E> the elements
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class PartPlan<E, K, V> implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final Mapper<? super E, K, V> mapper;
  private final @Nullable Combiner<V> combiner;
  private final Marshaller<K> keys; // serializable, or it cannot be sent
  private final Marshaller<V> values;
  private final int threadsSet;
  private final long budgetBytesSet;
  private final @Nullable String directory;

  PartPlan(Plan<E, K, V, ?> plan) {
    this.mapper = plan.mapper();
    this.combiner = plan.combiner();
    this.keys = plan.keys();
    this.values = plan.values();
    this.threadsSet = plan.threadsSet();
    this.budgetBytesSet = plan.budgetBytesSet();
    this.directory = plan.directory() == null ? null : plan.directory().toString();
  }

  /// Starts the part of this process, and returns immediately.
  ///
  /// @param elements closed once they are mapped, or when the part ends
  public Part start(Stream<? extends E> elements) {
    Plan<E, K, V, V> plan =
        new Plan<>(
            mapper,
            combiner,
            null,
            keys,
            values,
            threadsSet,
            budgetBytesSet,
            directory == null ? null : Path.of(directory));
    RunningPart<E, K, V> part = new RunningPart<>(plan, elements);
    part.start();
    return part;
  }
}
