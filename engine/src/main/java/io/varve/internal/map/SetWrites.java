package io.varve.internal.map;

import io.varve.AsyncSet;
import io.varve.OrderedSet;
import io.varve.Written;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/// Changes of a set whose durability is awaited by stages: those of the set itself, each over
/// entries of its own.
///
/// @param <E> the elements
final class SetWrites<E> implements AsyncSet<E> {
  private final OrderedSet<E> set;
  private final UnawaitedView<OrderedSet<E>> view;

  /// @param set the set or view that is changed
  SetWrites(OrderedSet<E> set, UnawaitedView<OrderedSet<E>> view) {
    this.set = set;
    this.view = view;
  }

  @Override
  public OrderedSet<E> set() {
    return set;
  }

  @Override
  public CompletionStage<Written<Boolean>> add(E element) {
    return view.write(changed -> changed.add(element));
  }

  @Override
  public CompletionStage<Written<Boolean>> addAll(Collection<? extends E> elements) {
    return view.write(changed -> changed.addAll(elements));
  }

  @Override
  public CompletionStage<Written<Boolean>> remove(E element) {
    return view.write(changed -> changed.remove(element));
  }

  @Override
  public CompletionStage<Written<Long>> clear() {
    return view.clear(OrderedSet::clear);
  }
}
