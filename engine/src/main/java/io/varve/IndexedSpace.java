package io.varve;

import io.varve.spi.SpaceIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A space with its indexes ([Store#indexed(Space)]).
///
/// The store remembers which indexes a space has, not what they are made of: those are functions of
/// the program ([SpaceIndex]). A program that opens the store defines them again by [#keep(List,
/// ProgressListener)]. Until then the space can be read, and refuses each change with an
/// [IllegalStateException], because the indexes would not follow.
///
/// Safe for any number of threads.
///
/// @since 1.0
public interface IndexedSpace {
  /// The space.
  Space space();

  /// Keeps these indexes from now on, in each commit that changes the space, and those that were
  /// kept before. Those that are missing, unfinished, or were written under another id are built
  /// before this returns: together, by one pass over the space if the cache is large enough for it.
  /// They are built in commits of parts of the space, while others read and write it. What a crash
  /// interrupts continues with the next call, and so does what a definition or the listener ends by
  /// an exception. Until then changes of the space take more capacity: they note which index
  /// entries they remove.
  ///
  /// In a store that was opened for reading alone this only defines what the index entries mean.
  ///
  /// If a definition refuses an entry that is there already, the index stays unfinished. What the
  /// definition throws comes out of this once the other indexes are built. Drop the index, or give
  /// a definition that takes the entry. Until then that entry cannot be changed. An index that
  /// another thread drops, or whose values are not unique, ends its own build alone as well. A
  /// build that finds the disk full keeps the index entries that it has added, and frees all else;
  /// the next call begins again.
  ///
  /// @param listener is called with how much of the space was indexed; what it throws ends the
  ///   build
  /// @throws IllegalArgumentException if two of these have one name, or a name or an id is too long
  /// @throws UniqueIndexException if two entries of the space have one prefix of a unique index;
  ///   that index is dropped
  /// @throws StoreBusyException if another transaction has run alone over the space for too long:
  ///   its indexes do not change then, nor by [#drop(String)] and [#rename(String, String)]; or if
  ///   the calling thread runs such a transaction, for which the build of another thread waits
  void keep(List<? extends SpaceIndex> indexes, ProgressListener listener);

  /// All indexes that the store knows of, by name, whether kept or not.
  List<IndexStatus> list();

  /// What an index is like.
  ///
  /// @param name of the index
  /// @param id of the definition that it was written with
  /// @param isUnique whether equal prefixes are refused
  /// @param isKept whether the program has given its definition
  /// @param isBuilt whether it has the entries of the whole space
  /// @param entries of the index, about
  /// @param bytes that they take, about
  record IndexStatus(
      String name,
      String id,
      boolean isUnique,
      boolean isKept,
      boolean isBuilt,
      long entries,
      long bytes) {}

  /// The entries of an index, for reading by a view: `view.cursor(entries, range)` and
  /// `view.count(entries, range)`. An entry of an index that is not unique is a prefix and a key,
  /// with an empty value; one of a unique index is a prefix, and its value the key.
  ///
  /// @throws IllegalArgumentException if there is no such index
  Space entries(String index);

  /// The entries of an index, if a view may read them by this definition: they were written with
  /// its id, and the index had those of the whole space at the point that the view reads from.
  /// Asking fixes the point of a transaction.
  ///
  /// What this gives stays that index, whatever gets its name. Reading it after it was dropped is
  /// refused with an [IllegalStateException].
  ///
  /// @return null if the view has to do without the index
  @Nullable Space entries(SpaceIndex index, ReadView view);

  /// The key of the space to which an entry of a kept index refers.
  byte[] key(String index, Cursor entry);

  /// Whether an index had the entries of the whole space at the point that the view reads from.
  /// Asking fixes the point of a transaction.
  boolean isComplete(String index, ReadView view);

  /// Drops an index, kept or not.
  ///
  /// @return whether there was one
  boolean drop(String index);

  /// Gives an index another name in the store, by which it is listed, verified and dropped. The
  /// definition that the program has given stays in effect, though it has the old name. The store
  /// remembers that name. A definition of it with the same id and uniqueness finds the index, in
  /// [#keep] and [#entries(SpaceIndex, ReadView)]. Then [#keep] drops an index that has got the old
  /// name since, unless that one is of the definition itself.
  ///
  /// @return whether there was one
  /// @throws IllegalArgumentException if another index has that name
  boolean rename(String index, String newName);

  /// Compares a kept index with the space, as of now, reading both once.
  ///
  /// @return the faults found: each names the index and the lengths of the keys, the first hundred
  /// @throws IllegalStateException if the index is not kept, or not built ([#list]): its entries
  ///   are not all there, which is no damage
  List<String> verify(String index);
}
