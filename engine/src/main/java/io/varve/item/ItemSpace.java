package io.varve.item;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Store;
import java.io.OutputStream;
import java.io.Writer;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentNavigableMap;

/// An ordered set of items, with one line of commits and rollbacks for all its threads.
///
/// ```java
/// ItemSpace items = store.items("catalog");
/// items.insert(Item.of(PATENT, 6_789_012L, TITLE, "Folding boat"));
/// items.commit(); // on stable storage when it returns
/// ```
///
/// - **Changes** are seen by all threads immediately, before any commit. To insert what is there,
///   or to delete what is not, is no error and changes nothing.
/// - **Commits are global:** [#commit()] makes all durable that any thread had changed before it
///   was called, and nothing that is changed after it returned. Many threads may be inside; they
///   share commits of the store, and forces. After any crash the set is as one of the commits left
///   it, and no commit is missing that comes before one that was acknowledged.
/// - **Rollbacks are global**, too.
/// - **Memory:** changes that are not committed go to disk when they are many, so a commit or
///   rollback may be of any size. A large commit takes effect atomically, and is then merged into
///   the set by the thread that asked for it, while others continue.
/// - **Threads:** safe for any number of threads, platform or virtual. Readers take no locks.
/// - **Interrupts:** no operation fails or is lost by one; the flag stays set.
///
/// Of an item space on [Store#inMemory()] commits mean the same except durability: it ends with the
/// store. Changes that are not committed when the store is closed are lost.
///
/// @since 1.0
public non-sealed interface ItemSpace extends ItemView {
  /// The longest name, in characters.
  int NAME_LENGTH_MAX = 160;

  /// Bytes or chars in a chunk of a long binary or text.
  int CHUNK_LENGTH = 1024;

  /// The name of this item space.
  String name();

  /// The store that this belongs to.
  Store store();

  /// Adds an item, there or not.
  ///
  /// @throws io.varve.StoreFullException if changes had to go to disk and it has no capacity; the
  ///   item was inserted, and waits for a commit or rollback
  void insert(Item item);

  /// Removes an item, there or not.
  ///
  /// @throws io.varve.StoreFullException as [#insert]; the item was removed
  void delete(Item item);

  /// Removes all items that start with `prefix`, `prefix` itself among them, in one step.
  void deleteSubspace(Item prefix);

  /// Removes all items that start with the first components of `item`, and inserts `item`, in one
  /// step: nobody sees the set between.
  ///
  /// @param protectedComponents how many components at the start name what is replaced
  void update(Item item, int protectedComponents);

  /// Commits with the durability of the store.
  ///
  /// @return the commit of the store, for [Store#awaitDurable(Commit)]
  /// @throws io.varve.StoreFullException if the disk has no capacity; nothing was committed, and
  ///   the changes wait for another commit or a rollback
  /// @throws io.varve.StoreFailedException if the log failed; reopening reports whether it was
  ///   committed
  Commit commit();

  /// Commits, and returns when the promise of `durability` holds. Otherwise as [#commit()]. With
  /// [Durability#BACKGROUND] it does not wait for the disk: the commit is durable shortly after.
  Commit commit(Durability durability);

  /// Drops all changes since the last commit, whichever thread made them. Waits for commits under
  /// way.
  void rollback();

  /// Items under a prefix as a map: an item is the prefix, a key, and a value. Changes are changes
  /// of this item space, and so wait for a commit. Each operation on one key is linearizable;
  /// `putAll` and `clear` are one for each key. Other items under a key that has several are passed
  /// over: such keys are better read as a map of sets, `set(map prefix + key, ...)`.
  ///
  /// @param keys of a fixed number of components
  /// @return a live view, in the order of items
  <K, V> ConcurrentNavigableMap<K, V> map(Item prefix, ItemCodec<K> keys, ItemCodec<V> values);

  /// Items under a prefix as a set: an item is the prefix and an element.
  ///
  /// @param elements of a fixed number of components
  /// @return a live view, in the order of items
  <E> NavigableSet<E> set(Item prefix, ItemCodec<E> elements);

  /// A stream that takes a long binary apart into items: the prefix, the index of a chunk, and
  /// [#CHUNK_LENGTH] bytes, the last one fewer. All that starts with the prefix is removed first.
  /// The last chunk is there when the stream is closed; then commit.
  ///
  /// @param prefix leaves bytes of a key for a chunk
  OutputStream outputStream(Item prefix);

  /// A writer that takes a long text apart into items: the prefix, the index of a chunk, and
  /// [#CHUNK_LENGTH] chars, as [#outputStream(Item)] does with bytes.
  Writer writer(Item prefix);

  /// The state of now, with what is not committed. Close it.
  ItemSnapshot snapshot();

  /// Figures of the item space as of now. Cheap enough to poll.
  ItemStatistics statistics();
}
