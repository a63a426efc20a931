package io.varve.grid.items;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The store of what a node has outside of its caches: items, and the values that others keep in
/// spaces of their own. There are no files of it until something is written.
///
/// - ITEMSTORE-1 It is open only between [#open] and [#close].
/// - ITEMSTORE-2 Each change passes the gate that [#changesPass] was given.
/// - ITEMSTORE-3 No item space has a name that begins with [#RESERVED].
///
/// **Threads:** any number of threads, platform or virtual.
public final class ItemStore {
  /// The directory of the store, in that of the node.
  public static final String DIRECTORY = "items";

  /// Begins the names of spaces that are no item spaces.
  public static final String RESERVED = "~";

  /// Item spaces that clients may make: each has an object in memory for good.
  static final int SPACES_MAX = 1_000;

  /// Commits that a crash has left in spaces of their own ([Store#items]).
  private static final Pattern LAYER = Pattern.compile(".+~layer-[0-9]{19}", Pattern.DOTALL);

  private final Path directory;
  private final StoreOptions options;
  private final List<ItemStoreListener> listeners = new ArrayList<>();
  private Gate gate = Supplier::get;

  /// What the last change found. Written by any thread, except that a failure stays.
  private final AtomicReference<Condition> condition = new AtomicReference<>(Condition.HEALTHY);

  // Guarded by this.
  private final Map<String, ServedItems> served = new HashMap<>();
  private @Nullable Store store;
  private boolean isOpen;

  /// Whether changes are taken.
  public enum Condition {
    HEALTHY,

    /// The last change that was not a removal found no capacity on disk.
    FULL,

    /// A write or a force has failed. No change is taken before the node is started again.
    FAILED
  }

  /// What each change passes.
  public interface Gate {
    /// Makes a change, after a wait if need be.
    <T> T pass(Supplier<T> change);
  }

  /// Makes a store that is closed.
  ///
  /// @param node the directory of the node
  /// @param options of the store; with [Durability#NONE] it is in memory
  public ItemStore(Path node, StoreOptions options) {
    this.directory = node.resolve(DIRECTORY);
    this.options = options;
  }

  /// Has a listener called. Before [#open].
  public void follow(ItemStoreListener listener) {
    listeners.add(listener);
  }

  /// Has changes pass a gate. Before [#open].
  public void changesPass(Gate through) {
    gate = through;
  }

  /// Whether there are files to open, which may have to be recovered.
  public boolean isPresent() {
    return Files.isDirectory(directory);
  }

  /// Serves items from now on. Opens the store if it is there.
  public synchronized void open() {
    isOpen = true;
    if (isPresent()) {
      openStore();
    }
  }

  private Store openStore() {
    if (!isOpen) {
      throw new ClosedException();
    }
    Store opened = store;
    if (opened == null) {
      boolean inMemory = options.durability() == Durability.NONE;
      opened = inMemory ? Store.inMemory(options) : Store.open(made(directory), options);
      store = opened;
      for (ItemStoreListener listener : listeners) {
        listener.opened(opened, inMemory ? null : directory);
      }
    }
    return opened;
  }

  private static Path made(Path directory) {
    try {
      PrivateFiles.createDirectories(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the directory of the items cannot be made: directory=" + directory, e);
    }
  }

  /// The names of the item spaces, in order.
  synchronized List<String> names() {
    return store == null
        ? List.of()
        : store.spaceNames().stream()
            .filter(name -> !isReserved(name) && !LAYER.matcher(name).matches())
            .sorted()
            .toList();
  }

  /// The item space of a name, or null if there is none.
  synchronized @Nullable ServedItems present(String name) {
    return store == null || isReserved(name) || store.findSpace(name) == null
        ? null
        : served(store, name);
  }

  /// ITEMSTORE-3
  private static boolean isReserved(String name) {
    return name.startsWith(RESERVED);
  }

  /// The store, made if there is none.
  public synchronized Store made() {
    return openStore();
  }

  /// The store, or null if there is none.
  public synchronized @Nullable Store present() {
    if (!isOpen) {
      throw new ClosedException();
    }
    return store;
  }

  /// The item space of a name, made if there is none.
  ///
  /// @throws IllegalArgumentException if none can have the name
  /// @throws TooManySpacesException if there are [#SPACES_MAX] others
  synchronized ServedItems made(String name) {
    if (isReserved(name)) {
      throw new IllegalArgumentException("no item space has a name that begins with " + RESERVED);
    }
    Store opened = openStore();
    if (opened.findSpace(name) == null && names().size() >= SPACES_MAX) {
      throw new TooManySpacesException();
    }
    return served(opened, name);
  }

  private ServedItems served(Store opened, String name) {
    return served.computeIfAbsent(name, key -> new ServedItems(opened.items(key)));
  }

  /// Whether changes are taken, as far as requests have found.
  public Condition condition() {
    return condition.get();
  }

  /// Records what a change has found.
  public void found(Condition now) {
    condition.updateAndGet(was -> was == Condition.FAILED ? was : now);
  }

  /// Makes a change when the gate lets it pass (ITEMSTORE-2).
  public <T> T change(Supplier<T> change) {
    return gate.pass(change);
  }

  /// What the store holds, as of this call, to be written elsewhere, or null if it has no files.
  /// Called while the gate lets no change pass.
  public synchronized @Nullable ItemsCopy copy() {
    Store opened = store;
    if (opened == null || options.durability() == Durability.NONE) {
      return null;
    }
    List<Space> others =
        opened.spaceNames().stream().filter(ItemStore::isReserved).map(opened::space).toList();
    return ItemsCopy.of(
        opened, names().stream().map(name -> served(opened, name)).toList(), others);
  }

  /// Closes the store. What is asked of it from now on fails. Without effect if that is done.
  public synchronized void close() {
    isOpen = false;
    Store closed = store;
    if (closed != null) {
      store = null;
      served.clear();
      listeners.forEach(listener -> listener.closing(closed));
      closed.close();
    }
  }

  /// The node stops, or has not started.
  public static final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClosedException() {
      super("the node stops, or has not started");
    }
  }

  /// There are as many item spaces as there may be.
  static final class TooManySpacesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManySpacesException() {
      super("there are too many item spaces: max=" + SPACES_MAX + "; use longer prefixes");
    }
  }
}
