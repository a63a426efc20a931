package io.varve.cache.internal.container;

import java.util.Iterator;
import java.util.function.Function;

/// What a function makes of the elements of another iterator. A stream's iterator would do the same
/// at several times the cost of an element.
///
/// @param <S> the elements of the other
/// @param <T> what is made of them
record MappedIterator<S, T>(Iterator<S> source, Function<S, T> mapping) implements Iterator<T> {
  @Override
  public boolean hasNext() {
    return source.hasNext();
  }

  @Override
  public T next() {
    return mapping.apply(source.next());
  }
}
