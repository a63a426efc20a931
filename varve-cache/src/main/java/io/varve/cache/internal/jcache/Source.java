package io.varve.cache.internal.jcache;

import java.util.Collection;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/// Where the data of a cache comes from and goes to, if anywhere: its loader and writer. What they
/// throw is wrapped as JCache defines.
///
/// @param loader used for `loadAll`, and for reads if `readThrough`
/// @param writer null unless changes are written through
/// @param counters of what goes either way
record Source<K, V>(
    @Nullable CacheLoader<K, V> loader,
    boolean readThrough,
    @Nullable CacheWriter<? super K, ? super V> writer,
    Counters counters)
    implements AutoCloseable {

  /// No source.
  static <K, V> Source<K, V> none() {
    return new Source<>(null, false, null, Counters.NONE);
  }

  /// The same, counted elsewhere.
  Source<K, V> countedBy(Counters others) {
    return new Source<>(loader, readThrough, writer, others);
  }

  /// The same, whose changes go to a writer that waits with them.
  Source<K, V> later(WriteBehindWriter<K, V> waiting) {
    return new Source<>(
        loader == null ? null : new WaitingFirstLoader<>(loader, waiting),
        readThrough,
        waiting,
        counters);
  }

  /// The number of changes that wait for the writer.
  long waitingWrites() {
    return writer instanceof WriteBehindWriter<?, ?> waiting ? waiting.waiting() : 0;
  }

  /// The number of changes that the writer refused too often.
  long droppedWrites() {
    return writer instanceof WriteBehindWriter<?, ?> waiting ? waiting.dropped() : 0;
  }

  /// The value of a key that a read did not find, or null.
  @Nullable V read(K key) {
    return readThrough ? load(key) : null;
  }

  /// The value of a key, or null.
  @Nullable V load(K key) {
    CacheLoader<K, V> present = loader;
    if (present == null) {
      return null;
    }
    try {
      V loaded = present.load(key);
      counters.count(counters.loads, loaded == null ? 0 : 1);
      return loaded;
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader failed: cause=" + e, e);
    }
  }

  /// The values of keys.
  Map<K, V> loadAll(Iterable<? extends K> keys) {
    CacheLoader<K, V> present = loader;
    if (present == null) {
      return Map.of();
    }
    try {
      Map<K, V> loaded = present.loadAll(keys);
      counters.count(counters.loads, loaded.size());
      return loaded;
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader failed: cause=" + e, e);
    }
  }

  void write(K key, V value) {
    if (writer != null) {
      run(() -> writer.write(new KeyValue<>(key, value)));
      counters.count(counters.writes, 1);
    }
  }

  /// Writes entries; those that were written are taken out of the collection, also if it fails.
  void writeAll(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
    if (writer != null) {
      runAll(entries, () -> writeAll(writer, entries), counters.writes);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a writer of supertypes takes our entries
  private static void writeAll(CacheWriter writer, Collection entries) {
    writer.writeAll(entries);
  }

  void delete(Object key) {
    if (writer != null) {
      run(() -> writer.delete(key));
      counters.count(counters.deletions, 1);
    }
  }

  /// Deletes keys; those that were deleted are taken out of the collection, also if it fails.
  void deleteAll(Collection<?> keys) {
    if (writer != null) {
      runAll(keys, () -> writer.deleteAll(keys), counters.deletions);
    }
  }

  /// Runs a call that takes out of the collection what it has done, also if it fails.
  private void runAll(Collection<?> left, Runnable call, Counter counter) {
    int all = left.size();
    boolean done = false;
    try {
      run(call);
      done = true;
    } finally {
      counters.count(counter, done ? all : all - left.size());
    }
  }

  private static void run(Runnable call) {
    try {
      call.run();
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheWriterException("the writer failed: cause=" + e, e);
    }
  }

  /// Writes the changes that wait, as long as the writer takes them, and lets no more come. The
  /// writer may use the cache for that, which is to be open.
  void drain() {
    if (writer instanceof WriteBehindWriter<?, ?> waiting) {
      waiting.close();
    }
  }

  /// Closes loader and writer, once all is [drained][#drain].
  @Override
  public void close() {
    if (writer instanceof WriteBehindWriter<?, ?> waiting) {
      Closing.closeGiven(
          loader instanceof WaitingFirstLoader<?, ?> first ? first.loader() : loader,
          waiting.writer());
    } else {
      Closing.closeGiven(loader, writer);
    }
  }
}
