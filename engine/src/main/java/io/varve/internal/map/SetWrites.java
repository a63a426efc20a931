package io.varve.internal.map;

import io.varve.AsyncSet;
import io.varve.OrderedSet;
import io.varve.Written;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/// Changes of a set whose durability is awaited by stages: those of the set itself, each over
/// entries of its own.
///
/// @param set the set or view that is changed
/// @param <E> the elements
record SetWrites<E>(OrderedSet<E> set, UnawaitedView<OrderedSet<E>> view) implements AsyncSet<E> {
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
