package io.varve.spring;

import io.varve.cache.Flag;
import io.varve.cache.VarveCache;
import java.util.concurrent.Callable;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/// A cache that has a loader or a writer, as Spring uses it.
///
/// - **Null:** is not kept, since a writer would be given the object that Spring has for it. What
///   the key had is removed from the cache alone.
/// - **All entries:** are removed from the cache alone: those that it happens to have are not all
///   that the source has.
/// - **Threads:** safe for any number of threads.
final class SourcedCache extends AsynchronousCache {
  /// The same entries, whose changes do not reach the source.
  private final VarveCache<Object, Object> alone;

  @SuppressWarnings("unchecked") // a class has no type parameters
  SourcedCache(Cache<Object, Object> cache) {
    super(cache, false);
    this.alone = cache.unwrap(VarveCache.class).with(Flag.SKIP_STORE);
  }

  /// Asks the loader before the method, which Spring does not.
  @Override
  @SuppressWarnings("unchecked") // as Spring has it: the caller that asks must know
  public <T> @Nullable T get(Object key, Callable<T> method) {
    try {
      return (T) getNativeCache().invoke(key, SourcedCache::valueOr, method);
    } catch (EntryProcessorException e) {
      Throwable cause = e.getCause();
      throw new ValueRetrievalException(key, method, cause == null ? e : cause);
    }
  }

  private static @Nullable Object valueOr(MutableEntry<Object, Object> entry, Object... arguments) {
    Object present = entry.getValue(); // loaded if it is not there
    if (present != null) {
      return present;
    }
    try {
      Object answer = ((Callable<?>) arguments[0]).call();
      if (answer != null) {
        entry.setValue(answer);
      }
      return answer;
    } catch (Exception e) {
      throw new EntryProcessorException("the method failed: cause=" + e, e);
    }
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    if (value == null) {
      alone.remove(key);
    } else {
      super.put(key, value);
    }
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return value == null ? get(key) : super.putIfAbsent(key, value);
  }

  @Override
  public void clear() {
    alone.removeAll();
  }

  @Override
  public boolean invalidate() {
    boolean hadEntries = alone.iterator().hasNext();
    alone.removeAll();
    return hadEntries;
  }
}
