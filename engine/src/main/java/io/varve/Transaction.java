package io.varve;

import io.varve.internal.map.SpaceMap;
import io.varve.internal.map.SpaceSet;
import io.varve.internal.map.TransactionEntries;
import java.util.concurrent.CompletionStage;

/// Reads from one point in the commit order and writes that become visible together.
///
/// - **Isolation:** serializable. Reads see the store as of the first read, and this transaction's
///   own writes. Commit checks that no key or range read here was changed since.
/// - **Cursors** show the own writes that were made before they were opened, and no later ones. So
///   a loop over a cursor may change what it reads, and finds no change again.
/// - **Atomicity:** all writes are applied at one point of the commit order or none is, over any
///   number of spaces, through any crash.
/// - **Threads:** for one thread at a time. Holds no lock before it commits.
/// - **Memory:** writes are kept on the heap until the commit, and so are the ranges that were
///   read. Any call here throws [TransactionTooLargeException] that would need more than there is
///   for transactions. The transaction cannot be committed then.
///
/// A transaction that is closed without a commit has no effect.
///
/// @since 1.0
public non-sealed interface Transaction extends ReadView, AutoCloseable {
  /// The table as a map that is part of this transaction, made if there is none. Making one is a
  /// commit of its own, and stays if the transaction does not commit.
  ///
  /// Reads, those of views and iterators included, see what this transaction sees, and the keys and
  /// ranges that they read count for conflicts. Writes are part of the commit.
  ///
  /// For the thread of the transaction; its streams are never cut, also when they are parallel.
  @Override
  default <K, V> OrderedMap<K, V> open(Table<K, V> table) {
    Space space = store().open(table).space(); // checks the codecs
    return new SpaceMap<>(new TransactionEntries(this, space), table.keys(), table.values());
  }

  /// The table as a set that is part of this transaction, as [#open(Table)] does for a map.
  @Override
  default <E> OrderedSet<E> open(TableSet<E> table) {
    Space space = store().open(table).space(); // checks the codec
    return new SpaceSet<>(new TransactionEntries(this, space), table.elements());
  }

  /// The point after the writes so far: reads by it see no later ones.
  TransactionPoint point();

  /// Sets the value of `key`. Both arrays are copied.
  void put(Space space, byte[] key, byte[] value);

  /// Removes `key`, if present.
  void delete(Space space, byte[] key);

  /// Removes every key of `range`.
  ///
  /// @return the number of keys removed
  long deleteRange(Space space, Range range);

  /// Commits with the durability of the store.
  ///
  /// @return the commit; of a transaction without writes, the newest one that its reads saw
  /// @throws ConflictException if a key or range read here has changed since; nothing was written
  /// @throws StoreFullException if the disk has no capacity for the log record; nothing was written
  /// @throws TransactionTooLargeException if the pages to be changed need too much of the heap, or
  ///   a call before was refused for that; nothing was written
  /// @throws StoreFailedException if the log failed; reopening reports whether it was committed
  Commit commit();

  /// Commits, and returns when the promise of `durability` holds. Otherwise as [#commit()].
  Commit commit(Durability durability);

  /// Commits without a wait for durability, and gives the commit when the promise of `durability`
  /// holds. The changes are visible when this returns. The stage completes on a thread of the
  /// store: run nothing long on it.
  CompletionStage<Commit> commitAsync(Durability durability);

  /// Forgets all writes and ends the transaction. Idempotent; no effect after a commit.
  @Override
  void close();
}
