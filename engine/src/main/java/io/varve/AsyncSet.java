package io.varve;

import java.util.Collection;
import java.util.concurrent.CompletionStage;

/// Changes of a set whose calls do not wait until they are durable: made by [OrderedSet#async()].
/// Each does what that of [OrderedSet] with the same name does, within the bounds of that view. Its
/// stage gives the value with the commit. A change that changed nothing has no commit, and its
/// stage is complete.
///
/// - **Visibility, durability:** as of [AsyncSpace].
/// - **Threads, refusals:** as of [OrderedSet].
///
/// @param <E> the elements
/// @since 1.0
public interface AsyncSet<E> {
  /// The set that is changed, with the same durability, to be waited for.
  OrderedSet<E> set();

  /// Adds an element, and gives whether it was absent.
  CompletionStage<Written<Boolean>> add(E element);

  /// Adds all elements that are absent in one commit, and gives whether any was.
  CompletionStage<Written<Boolean>> addAll(Collection<? extends E> elements);

  /// Removes an element, and gives whether it was present.
  CompletionStage<Written<Boolean>> remove(E element);

  /// Removes every element of the view in one commit, and gives their number.
  CompletionStage<Written<Long>> clear();
}
