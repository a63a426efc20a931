package io.varve.query;

import io.varve.Watch;
import io.varve.query.LiveQuery.Answer;
import io.varve.query.LiveQuery.Step;
import org.jspecify.annotations.Nullable;

/// What a live query knows of its answer, so that it can report what a commit changes of it. For
/// one thread.
///
/// @param <K> the keys
/// @param <V> the values
interface LiveRows<K, V> {
  /// Starts the watch, and reads the answer.
  Answer<K, V> start();

  /// What a commit changes of the answer; null if that is nothing. The commit of the step is a
  /// later one if the answer had to be read again.
  ///
  /// @param committed what the watch gave; not one that reports that changes are missed
  @Nullable Step<K, V> apply(Watch.Committed committed);
}
