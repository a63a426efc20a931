package io.varve.cache.internal.container;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a function makes of the elements of another spliterator, each when it is met.
final class MappedSpliterator<T, R> implements Spliterator<R> {
  private final Spliterator<T> elements;
  private final Function<? super T, ? extends R> mapping;

  MappedSpliterator(Spliterator<T> elements, Function<? super T, ? extends R> mapping) {
    this.elements = elements;
    this.mapping = mapping;
  }

  @Override
  public boolean tryAdvance(Consumer<? super R> action) {
    Objects.requireNonNull(action, "action");
    return elements.tryAdvance(element -> action.accept(mapping.apply(element)));
  }

  @Override
  public void forEachRemaining(Consumer<? super R> action) {
    Objects.requireNonNull(action, "action");
    elements.forEachRemaining(element -> action.accept(mapping.apply(element)));
  }

  @Override
  public @Nullable Spliterator<R> trySplit() {
    Spliterator<T> prefix = elements.trySplit();
    return prefix == null ? null : new MappedSpliterator<>(prefix, mapping);
  }

  @Override
  public long estimateSize() {
    return elements.estimateSize();
  }

  @Override
  public int characteristics() {
    return (elements.characteristics() & (SIZED | SUBSIZED | ORDERED)) | NONNULL;
  }
}
