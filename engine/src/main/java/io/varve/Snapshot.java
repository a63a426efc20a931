package io.varve;

import io.varve.internal.map.SnapshotEntries;
import io.varve.internal.map.SpaceMap;
import io.varve.internal.map.SpaceSet;
import java.time.Duration;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// One point in the commit order, over all spaces, unchanged by later commits. Taking one is O(1)
/// and blocks nobody; holding one keeps the disk space of what it shows from being reused, so close
/// it. A snapshot sits in no table that readers would contend on, and holds no lock.
///
/// Safe for use by many threads concurrently. After [#close()] every use is a
/// [StoreClosedException].
///
/// @since 1.0
public non-sealed interface Snapshot extends ReadView, AutoCloseable {
  /// The table as a map that does not change: an [UnsupportedOperationException] refuses what would
  /// change it. It is made if there is none, and empty. For any number of threads.
  @Override
  default <K, V> OrderedMap<K, V> open(Table<K, V> table) {
    Space space = store().open(table).space(); // checks the codecs
    return new SpaceMap<>(new SnapshotEntries(this, space), table.keys(), table.values());
  }

  /// The table as a set that does not change, as [#open(Table)] does for a map.
  @Override
  default <E> OrderedSet<E> open(TableSet<E> table) {
    Space space = store().open(table).space(); // checks the codec
    return new SpaceSet<>(new SnapshotEntries(this, space), table.elements());
  }

  /// The newest commit that this snapshot shows.
  ///
  /// @since 1.0
  Commit lastCommit();

  /// How long ago this snapshot was taken.
  Duration age();

  /// The entries of `range` as a stream, in key order; `parallel()` shares it among cores.
  ///
  /// - **Cost:** a leaf at a time for each thread, whatever the size of the range. It is cut by
  ///   inner pages alone, near the middle of what is left.
  /// - **Lifetime:** until this snapshot closes. To close the stream does nothing.
  default Stream<Entry> stream(Space space, Range range) {
    return StreamSupport.stream(spliterator(space, range), false);
  }

  /// The entries of `range`, to be traversed in key order or cut: see [#stream(Space, Range)].
  /// [Spliterator#estimateSize()] reads no leaf. It is exact except for leaves at the ends of the
  /// range and for changes that no checkpoint has written.
  Spliterator<Entry> spliterator(Space space, Range range);

  /// What `reading` makes of the entries of `range`, to be traversed or cut as by
  /// [#spliterator(Space, Range)].
  ///
  /// @param reading called on the thread that traverses, with a cursor that is on the entry. It
  ///   reads the cursor and does not move it, keeps only copies, and does not return null
  <T> Spliterator<T> spliterator(
      Space space, Range range, Function<? super Cursor, ? extends T> reading);

  /// Releases the snapshot. Cursors and streams over it fail from now on. Idempotent.
  @Override
  void close();
}
