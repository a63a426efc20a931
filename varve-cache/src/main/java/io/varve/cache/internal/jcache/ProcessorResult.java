package io.varve.cache.internal.jcache;

import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/// What a processor gave for one of several keys, or why it failed.
record ProcessorResult<T>(@Nullable T value, @Nullable EntryProcessorException failure)
    implements EntryProcessorResult<T> {
  @Override
  public @Nullable T get() {
    if (failure != null) {
      throw failure;
    }
    return value;
  }
}
