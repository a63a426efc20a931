package io.varve.infinispan;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The entries in some ranges of a snapshot that had not expired. It is cut between ranges: give
/// one for each segment. Holds a position in one leaf. Fails once the snapshot is closed, by the
/// code that made it.
///
/// @param <T> what is made of each entry
final class EntrySpliterator<T> implements Spliterator<T> {
  private final Snapshot snapshot;
  private final Space entries;
  private final long now;
  private final Function<Cursor, T> reading;
  private List<Range> rest; // after the current range

  /// What is left of the range that was begun; null before the first and after the last.
  private @Nullable EntryScan current;

  EntrySpliterator(
      Snapshot snapshot, Space entries, List<Range> ranges, long now, Function<Cursor, T> reading) {
    this.snapshot = snapshot;
    this.entries = entries;
    this.rest = ranges;
    this.now = now;
    this.reading = reading;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    for (EntryScan scan = begun(); scan != null; scan = begun()) {
      Cursor cursor = scan.next();
      if (cursor != null) {
        action.accept(reading.apply(cursor));
        return true;
      }
      current = null;
    }
    return false;
  }

  /// The range to continue with, or null if all are done.
  private @Nullable EntryScan begun() {
    if (current == null && !rest.isEmpty()) {
      current = new EntryScan(snapshot, entries, rest.subList(0, 1), now);
      rest = rest.subList(1, rest.size());
    }
    return current;
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    int given = current == null ? rest.size() / 2 : (rest.size() + 1) / 2;
    if (given == 0) {
      return null;
    }
    Spliterator<T> first =
        new EntrySpliterator<>(snapshot, entries, rest.subList(0, given), now, reading);
    rest = rest.subList(given, rest.size());
    return first;
  }

  /// Of inner pages, those that have expired and were not purged yet included.
  @Override
  public long estimateSize() {
    ToLongFunction<Range> count = range -> snapshot.count(entries, range);
    return rest.stream().mapToLong(count).sum();
  }

  @Override
  public int characteristics() {
    return DISTINCT | NONNULL | IMMUTABLE;
  }
}
