package io.varve;

import io.varve.internal.store.StoreOpener;
import io.varve.item.ItemSpace;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A durable, ordered store in one directory, for one process at a time.
///
/// ```java
/// try (Store store = Store.open(Path.of("data"))) {
///   Space users = store.space("users");
///   users.put(key, value); // on stable storage when it returns
///   store.transact(tx -> tx.put(users, key, value)); // atomic over spaces, serializable
/// }
/// ```
///
/// - **Threads:** safe for any number of threads, platform or virtual.
/// - **Interrupts:** an interrupt never closes a file, never fails or loses an operation, and
///   leaves the thread's flag set. That holds for every call here, [#close()] included.
/// - **Failure:** after a failed write or force the store refuses commits with the cause
///   ([StoreFailedException]) until it is reopened. A full disk is no failure: commits are refused
///   before they take effect ([StoreFullException]) and continue when there is capacity.
/// - **Use after close** is a [StoreClosedException], never more.
///
/// @since 1.0
public interface Store extends AutoCloseable {
  /// Opens the store in `directory` with default options, or creates it there.
  ///
  /// @throws StoreLockedException if another process, or this one, has it open
  /// @throws CorruptStoreException if acknowledged data is damaged
  /// @throws UnsupportedFormatException if a newer Varve wrote it
  /// @throws StoreKeyException if it is encrypted and its key was not given, or it is not and one
  ///   was
  /// @throws StoreFullException if the disk has no capacity to create it
  /// @throws StoreIoException if the directory cannot be used
  static Store open(Path directory) {
    return open(directory, StoreOptions.defaults());
  }

  /// Opens the store in `directory` with the options given. See [#open(Path)].
  static Store open(Path directory, StoreOptions options) {
    return StoreOpener.open(directory, options);
  }

  /// Makes a store that lives on the heap and ends with its close. Its durability is
  /// [Durability#NONE]; all else is as for a store on disk.
  static Store inMemory() {
    return inMemory(StoreOptions.defaults());
  }

  /// Makes a store in memory with the options given; those about disk and log have no effect, and
  /// there is no bound on memory but the heap.
  static Store inMemory(StoreOptions options) {
    return StoreOpener.inMemory(options);
  }

  /// The space of that name, made if there is none. Making one is a commit of its own.
  ///
  /// @param name 1 to 200 characters
  /// @throws IllegalArgumentException if the name is none, or one that an item space reserves
  ///   ([#items(String)])
  Space space(String name);

  /// The space of that name, or null if there is none.
  @Nullable Space findSpace(String name);

  /// The names of all spaces, in order, as a copy. A space that is there during the whole call is
  /// in it once, under a name that it had. One that others make or drop during the call may be in
  /// it or not.
  SortedSet<String> spaceNames();

  /// Removes a space and all that is in it. Handles to it fail from then on.
  ///
  /// @return whether there was one
  /// @throws IllegalArgumentException if the name is one that an item space reserves
  ///   ([#items(String)]); drop that by its own name
  boolean dropSpace(String name);

  /// Gives a space another name, and keeps what is in it. Handles to it stay as they are. A commit
  /// of its own.
  ///
  /// @param newName 1 to 200 characters, which no space has
  /// @return whether there was a space of that name
  /// @throws IllegalArgumentException if the new name is none or taken, or one of the names is one
  ///   that an item space reserves or has ([#items(String)])
  /// @since 1.0
  boolean renameSpace(String name, String newName);

  /// The table as a map, made if there is none. Each change is a commit of its own; for several in
  /// one commit, open the table by a transaction: [Transaction#open(Table)].
  ///
  /// A change by a thread that runs the body of a transaction of this store is refused by an
  /// [IllegalStateException]: it would be committed whatever becomes of the transaction, and once
  /// more each time the body is run again.
  ///
  /// @throws IllegalArgumentException if the table was written by codecs of other ids
  default <K, V> OrderedMap<K, V> open(Table<K, V> table) {
    return map(table.name(), table.keys(), table.values());
  }

  /// The table as a set, made if there is none. Otherwise as [#open(Table)].
  default <E> OrderedSet<E> open(TableSet<E> table) {
    return set(table.name(), table.elements());
  }

  /// The space of that name as a map of typed keys and values: see [#open(Table)].
  ///
  /// @param keys a codec whose byte order is the order of the map
  <K, V> OrderedMap<K, V> map(String name, Codec<K> keys, Codec<V> values);

  /// The keys of the space of that name as a set of typed elements.
  ///
  /// @param elements a codec whose byte order is the order of the set
  <E> OrderedSet<E> set(String name, Codec<E> elements);

  /// The set of items of that name, with changes, commits and rollbacks shared by all threads.
  /// Making one is a commit of its own. Its items are the keys of the space of that name, which
  /// should not be changed otherwise. Spaces whose names continue with `~layer-` and 19 digits
  /// belong to it, too: such names are reserved, and no other space can get one.
  ///
  /// @param name 1 to [ItemSpace#NAME_LENGTH_MAX] characters
  ItemSpace items(String name);

  /// The indexes of a space of this store, which are kept in the commits that change it. A program
  /// that asks by fields of objects uses the module of queries, which is built on this.
  ///
  /// @throws IllegalArgumentException if the space belongs to another store
  /// @since 1.0
  IndexedSpace indexed(Space space);

  /// The changes of a space as they are committed, of which up to 16 MiB wait for the reader:
  /// [#watch(Space, Visibility, long)].
  ///
  /// @since 1.0
  default Watch watch(Space space) {
    return watch(space, Visibility.APPLIED, 16 << 20);
  }

  /// The changes of a space as they are committed, from the snapshot on that [Watch#start()] gives.
  /// As long as nobody watches a space, commits do nothing for it. Close the watch.
  ///
  /// @param visibility whether changes are reported when they are applied, or when they would
  ///   survive loss of power
  /// @param bytesMax of what waits for the reader, on the heap
  /// @throws IllegalArgumentException if the space belongs to another store
  /// @since 1.0
  Watch watch(Space space, Visibility visibility, long bytesMax);

  /// Begins a transaction. Commit or close it.
  Transaction begin();

  /// Runs `work` in a transaction and commits it with the store's durability. On a conflict it is
  /// run again, a bounded number of times, and then alone, so that it always ends: commits of other
  /// threads to the spaces that the work uses wait then, for at most half a minute.
  ///
  /// The work should change spaces through the transaction alone, and wait for nobody. What its
  /// thread commits otherwise stays if the transaction runs again. What the work throws ends it
  /// without effect, also the [ConflictException] of another transaction that it commits.
  ///
  /// @return the commit; of work that wrote nothing, the newest one that its reads saw
  /// @throws X if the work does
  /// @throws IllegalStateException if the work itself commits to what the transaction reads, for
  ///   the second time: it would never end; so would work that changes indexes of what it uses in
  ///   each run
  /// @throws StoreBusyException if it waited too long for a transaction that runs alone
  /// @throws TransactionTooLargeException if it needs more of the heap than one transaction may; or
  ///   if others have what it needs, still when it was run again for ten seconds
  default <X extends Exception> Commit transact(TransactionWork<X> work) throws X {
    return transact(options().durability(), work);
  }

  /// Runs `work` as [#transact(TransactionWork)] does, with a durability of its own.
  <X extends Exception> Commit transact(Durability durability, TransactionWork<X> work) throws X;

  /// Runs `body` as [#transact(TransactionWork)] does and returns its result.
  ///
  /// @return what the run of `body` returned that was committed
  /// @throws X if the body does
  /// @since 1.0
  default <T extends @Nullable Object, X extends Exception> T transactAndGet(
      TransactionBody<T, X> body) throws X {
    return transactAndGet(options().durability(), body);
  }

  /// Runs `body` as [#transactAndGet(TransactionBody)] does, with a durability of its own.
  ///
  /// @since 1.0
  <T extends @Nullable Object, X extends Exception> T transactAndGet(
      Durability durability, TransactionBody<T, X> body) throws X;

  /// Whether the calling thread runs a transaction of this store, by [#transact(TransactionWork)]
  /// or [#transactAndGet(TransactionBody)].
  boolean isInTransaction();

  /// A snapshot of all commits applied so far. Close it.
  default Snapshot snapshot() {
    return snapshot(Visibility.APPLIED);
  }

  /// A snapshot of all commits applied, or of those that would survive loss of power. Close it.
  Snapshot snapshot(Visibility visibility);

  /// The newest commit applied, durable or not.
  Commit lastCommit();

  /// Waits until `commit`, and so every commit before it, would survive loss of power.
  ///
  /// Of a store in memory, where no commit survives, this returns immediately.
  ///
  /// @param commit a commit of this store
  /// @throws StoreFailedException if the log failed before the commit was durable
  void awaitDurable(Commit commit);

  /// A stage that completes with `commit` when it would survive loss of power: on a thread of the
  /// store, or on [StoreOptions#completionExecutor()]. Completes exceptionally where
  /// [#awaitDurable(Commit)] throws.
  ///
  /// @param commit a commit of this store
  /// @since 1.0
  CompletionStage<Commit> whenDurable(Commit commit);

  /// Writes a checkpoint now and waits for it: all that was committed before is in the page file,
  /// and the log before it may go. The store does this by itself; call it before a copy, or to make
  /// the next open quick.
  void checkpoint();

  /// Moves live pages down and gives the file's free tail back to the file system, online. On a
  /// full disk, a large value that finds no capacity stays where it is: call it again when there is
  /// more.
  ///
  /// @return the bytes returned
  /// @throws StoreFullException if a checkpoint of it finds the disk full
  long compact();

  /// Reads every page and checks every checksum, the order of keys, counts and the accounts of
  /// extents, while the store is in use. If these are sound, compares each index whose definition
  /// the program has given with its space. An entry that such a definition refuses is a problem,
  /// too. An index that is not built is none, and passed over ([IndexedSpace#list]).
  ///
  /// @throws StoreClosedException if the store is closed, also during that
  default Verification verify() {
    return verify(ProgressListener.none());
  }

  /// Verifies as [#verify()] does, and reports how far it is.
  ///
  /// @throws StoreClosedException if the store is closed, also during that
  Verification verify(ProgressListener listener);

  /// Reads every page of a snapshot of this store, and checks every checksum, the order of keys and
  /// counts. Writes no checkpoint, and so does not check the accounts of extents. Keep the snapshot
  /// open during that.
  ///
  /// @throws IllegalArgumentException if the snapshot is of another store
  /// @throws StoreClosedException if the snapshot or the store is closed, also during that
  Verification verify(Snapshot snapshot, ProgressListener listener);

  /// Figures of the store since it was opened. Cheap enough to poll.
  Statistics statistics();

  /// The options in force.
  StoreOptions options();

  /// Waits for commits under way, writes a checkpoint and closes. Open transactions, snapshots and
  /// cursors fail from now on. Always ends, and releases all that the store holds, whatever it
  /// throws; idempotent. If the store has failed, closes without a checkpoint, and the next open
  /// recovers.
  ///
  /// @throws StoreFailedException if the store fails during this, before all commits are durable.
  ///   Those of [Durability#PROCESS_CRASH] and [Durability#BACKGROUND] that returned before may be
  ///   lost. Open it again, which recovers what is durable
  /// @throws StoreIoException if files cannot be closed or deleted; all commits are durable
  @Override
  void close();
}
