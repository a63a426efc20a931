package io.varve.cache.mapreduce;

/// Elements that are in several processes, each of which maps its own. For programs that bring jobs
/// to a cluster; users give what they made to [MapReduce#start(Distributed, Collator)].
///
/// @param <E> the elements
/// @since 1.0
@FunctionalInterface
public interface Distributed<E> {
  /// Makes ready for one job. Nothing runs yet.
  ///
  /// @param plan what each process does
  Parts parts(PartPlan<? super E, ?, ?> plan);
}
