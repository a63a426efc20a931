package io.varve.infinispan;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.infinispan.commons.util.IntSet;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// Publishers of entries. They read on threads that may block, as they are asked, and hand on parts
/// of a bounded size. Each subscription reads again, from a snapshot of its own, which ends with it
/// however it ends.
final class EntryPublishers<K, V> {
  /// The most that a part has: entries, bytes of their values (at most one value more), and entries
  /// that were looked at for it, so that a cancellation is noticed soon.
  private static final int PART_ENTRIES_MAX = 64;

  private static final int PART_BYTES_MAX = 1 << 16;
  private static final int PART_READ_MAX = 1024;

  private final OpenCache<K, V> cache;
  private final Function<Throwable, ? extends Throwable> errors;

  /// @param errors makes what Infinispan expects of what went wrong
  EntryPublishers(OpenCache<K, V> cache, Function<Throwable, ? extends Throwable> errors) {
    this.cache = cache;
    this.errors = errors;
  }

  /// Publishes what `reading` makes of the entries of some segments that have not expired, except
  /// nulls.
  ///
  /// @param segments null for all
  <T> Publisher<T> scan(@Nullable IntSet segments, Function<Cursor, @Nullable T> reading) {
    List<Range> ranges = cache.ranges(segments);
    return onBlockingThreads(
        Flowable.generate(
            () -> cache.entries().scan(ranges, cache.now()),
            (scan, emitter) -> {
              List<T> part = new ArrayList<>();
              if (!read(scan, reading, part) && part.isEmpty()) {
                emitter.onComplete();
              } else {
                emitter.onNext(part);
              }
            },
            EntryScan::close));
  }

  /// Reads some entries into `part`.
  ///
  /// @return whether there may be more
  private static <T> boolean read(
      EntryScan scan, Function<Cursor, @Nullable T> reading, List<T> part) {
    long bytes = 0;
    for (int read = 0; read < PART_READ_MAX; read++) {
      Cursor cursor = scan.next();
      if (cursor == null) {
        return false;
      }
      T item = reading.apply(cursor);
      if (item != null) {
        part.add(item);
        bytes += cursor.valueLength();
        if (part.size() == PART_ENTRIES_MAX || bytes >= PART_BYTES_MAX) {
          return true;
        }
      }
    }
    return true;
  }

  /// Removes what has expired by the time of the subscription, and publishes it.
  Publisher<MarshallableEntry<K, V>> purge() {
    return onBlockingThreads(
        Flowable.generate(
            () -> cache.entries().purge(cache.now()),
            (purge, emitter) -> {
              List<Entry> removed = purge.step();
              if (removed == null) {
                emitter.onComplete();
              } else {
                emitter.onNext(removed.stream().map(this::entry).toList());
              }
            }));
  }

  private MarshallableEntry<K, V> entry(Entry entry) {
    return EntryValue.read(entry.value())
        .marshalledEntry(EntryKey.marshalled(entry.key()), cache.factory());
  }

  /// A cancellation, which closes what parts are read from, may come from a thread that must not
  /// block, and so is passed on as well.
  private <T> Publisher<T> onBlockingThreads(Flowable<List<T>> parts) {
    Flowable<List<T>> made =
        parts
            .onErrorResumeNext(e -> Flowable.error(errors.apply(e)))
            .unsubscribeOn(Schedulers.from(cache.blocking().asExecutor("varve-publisher")));
    return Flowable.fromPublisher(cache.blocking().blockingPublisher(made))
        .concatMapIterable(part -> part);
  }
}
