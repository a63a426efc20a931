package io.varve.cache.mapreduce;

/// A job that was started. It is done by a result, a failure or a cancel. Then none of its threads
/// runs, its stream is closed, and no file of it is left.
///
/// - **Threads:** safe for any number of threads.
///
/// @param <T> the result
/// @since 1.0
public interface Job<T> {
  /// Waits until the job is done. An interrupt is kept for later.
  ///
  /// @return the result
  /// @throws java.util.concurrent.CancellationException if the job was cancelled
  /// @throws RuntimeException what mapper, combiner, reducer, collator, a marshaller, the stream or
  ///   the disk threw first, as it is; so is an [Error]
  T join();

  /// Asks the job to end: threads are interrupted, and end at the next element or pair. It may take
  /// as long as a mapper that does neither.
  ///
  /// @return false if the job was done already
  boolean cancel();

  /// Whether nothing of the job runs any more, not even the thread that led it.
  boolean isDone();

  /// How far the job is. Cheap enough to poll.
  Progress progress();

  /// What happened between mapper and reducer, so far. Cheap enough to poll.
  JobStatistics statistics();
}
