package io.varve.internal.tree;

import io.varve.CorruptStoreException;
import io.varve.Decoder;
import io.varve.internal.cache.Pages;
import io.varve.internal.cache.ReplacedPageException;
import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The B+tree of one space, for readers: any number of them, without locks.
///
/// A live read takes the version of the leaf, reads, and checks the version (L1). It linearizes
/// when it takes the child slot that leads to the leaf, or when it reads the page, whichever is
/// later. A page on disk that a live reader finds reused was replaced concurrently: the reader
/// starts again from the root ([ReplacedPageException]).
public final class Tree {
  private final Pages pages;
  private final Clock clock;
  private volatile Root root;

  /// Makes the exception for readers of the live tree, which must not continue; null if they may.
  private volatile @Nullable Supplier<RuntimeException> ended;

  /// Makes a tree with the root given, from `epoch` on.
  ///
  /// @param clock that readers wait by while a leaf changes
  public Tree(Pages pages, Clock clock, Node root, long epoch) {
    this.pages = pages;
    this.clock = clock;
    this.root = new Root(root, epoch, null);
  }

  /// Makes an empty tree, from `epoch` on.
  public static Tree empty(Pages pages, Clock clock, long epoch) {
    return new Tree(
        pages,
        clock,
        pages.newLeaf(epoch, LeafPage.create(pages.pageBytes(), new byte[0], 0)),
        epoch);
  }

  /// The pages of this tree.
  public Pages pages() {
    return pages;
  }

  /// The root of the live tree.
  public Node root() {
    return root.node();
  }

  /// The root as of a closed epoch that is held, or null if the tree began later.
  public @Nullable Node rootAt(long epoch) {
    Root at = Root.at(root, epoch);
    return at == null ? null : at.node();
  }

  /// What the tree was before it began: a root without entries.
  public Node emptyRoot() {
    return new Leaf(0, LeafPage.create(pages.pageBytes(), new byte[0], 0));
  }

  /// Makes `node` the root from `epoch` on. The writer alone.
  void publishRoot(Node node, long epoch, Epochs epochs) {
    Root old = root;
    root = new Root(node, epoch, old.epoch() < epoch ? old : old.previous()).prune(epochs.live());
  }

  /// Notes that the live tree does not contain the node any more. The writer alone.
  void retire(Node node, long epoch, Epochs epochs) {
    pages.retire(node, epoch, epochs.live().newest() >= node.epoch());
  }

  /// Drops roots that no held epoch needs any more. The holder of the write lock alone.
  public void pruneRoots(Epochs epochs) {
    if (root.previous() != null) {
      root = root.prune(epochs.live());
    }
  }

  /// The leaf that holds `key`, below a root.
  Leaf findLeaf(Node from, byte[] key) {
    Node node = from;
    while (node instanceof Inner inner) {
      Branches branches = pages.use(inner);
      node = branches.child(branches.find(key));
    }
    return (Leaf) node;
  }

  /// The value of `key` below `fixed`, or in the live tree if that is null.
  public byte @Nullable [] get(@Nullable Node fixed, byte[] key) {
    StoredValue stored = stored(fixed, key);
    if (stored == null || !stored.large()) {
      return stored == null ? null : stored.bytes();
    }
    ReadValue read = readLarge(fixed, key, stored);
    return read == null ? null : read.bytes();
  }

  /// Reads `key` in the live tree. It does not if a page is not in memory, a writer changes the
  /// leaf, or the value is in extents of its own.
  ///
  /// @param found takes the value, or null
  /// @return false if it was not read
  public boolean tryGet(byte[] key, Consumer<byte @Nullable []> found) {
    Leaf leaf = tryFindLeaf(key);
    if (leaf == null) {
      return false;
    }
    int version = leaf.version();
    byte[] page = pages.useIfInMemory(leaf);
    if ((version & 1) != 0 || page == null) {
      return false;
    }
    StoredValue stored;
    try {
      int index = LeafPage.find(page, key);
      stored = index < 0 ? null : StoredValue.of(page, index);
    } catch (RuntimeException | Error e) {
      if (leaf.validate(version)) {
        throw e;
      }
      return false; // It met torn bytes (T4): a torn length may have met the end of the heap.
    }
    if (!leaf.validate(version) || (stored != null && stored.large())) {
      return false;
    }
    found.accept(stored == null ? null : stored.bytes());
    return true;
  }

  /// The leaf of the live tree that holds `key`, or null if a page that leads to it is not in
  /// memory.
  private @Nullable Leaf tryFindLeaf(byte[] key) {
    Node node = root.node();
    while (node instanceof Inner inner) {
      Branches branches = Pages.useIfInMemory(inner);
      if (branches == null) {
        return null;
      }
      node = branches.child(branches.find(key));
    }
    return (Leaf) node;
  }

  /// A value together with what the leaf holds for it.
  public record ReadValue(StoredValue stored, byte[] bytes) {}

  /// The value of `key` in the live tree, or null.
  public @Nullable ReadValue getLive(byte[] key) {
    StoredValue stored = stored(null, key);
    return stored == null ? null : readLarge(null, key, stored);
  }

  /// The large value of `key` that a reader of the live tree found by its reference. Null if the
  /// key has none any more; another if it has another.
  public byte @Nullable [] getLarge(byte[] key, byte[] reference) {
    ReadValue read = readLarge(null, key, new StoredValue(reference, true));
    return read == null ? null : read.bytes();
  }

  /// Reads what `first` names. A live reader that finds its extents reused looks again: only if the
  /// leaf still names the same is the value damaged.
  private @Nullable ReadValue readLarge(@Nullable Node fixed, byte[] key, StoredValue first) {
    StoredValue stored = first;
    while (true) {
      try {
        return new ReadValue(stored, stored.read(pages.file()));
      } catch (CorruptStoreException e) {
        if (fixed != null) {
          throw e;
        }
        requireNotEnded();
        StoredValue now = stored(null, key);
        if (now == null) {
          return null;
        }
        if (now.equals(stored)) {
          throw pages.file().damaged(e);
        }
        stored = now;
      }
    }
  }

  /// The values of many keys, each as by [#get], in no order: those that can be read immediately
  /// first, side by side ([BatchRead]).
  public List<byte @Nullable []> getAll(@Nullable Node fixed, byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length][];
    boolean[] read = new boolean[keys.length];
    for (int from = 0; from < keys.length; from += BatchRead.KEYS_MAX) {
      if (keys.length - from > 1) {
        new BatchRead(pages, keys, from).run(fixed == null ? root.node() : fixed, values, read);
      }
      int to = Math.min(keys.length, from + BatchRead.KEYS_MAX);
      for (int i = from; i < to; i++) {
        if (!read[i]) {
          values[i] = get(fixed, keys[i]);
        }
      }
    }
    return new ArrayList<byte @Nullable []>(Arrays.asList(values));
  }

  /// Lets `decoder` read the value of `key` in place. The loop is that of [#stored], again: one
  /// that serves both makes each get slower (docs/decisions/0100).
  public <T> @Nullable T read(@Nullable Node fixed, byte[] key, Decoder<T> decoder) {
    ReplacedPageException before = null;
    while (true) {
      Leaf leaf = null;
      int version = 0;
      try {
        leaf = findLeaf(fixed == null ? root.node() : fixed, key);
        version = leaf.version();
        if ((version & 1) != 0) {
          awaitChange(leaf);
          continue;
        }
        byte[] page = pages.use(leaf);
        int index = LeafPage.find(page, key);
        if (index < 0) {
          if (leaf.validate(version)) {
            return null;
          }
          continue;
        }
        if (LeafPage.isLarge(page, index)) {
          if (leaf.validate(version)) {
            byte[] value = get(fixed, key);
            return value == null ? null : decoder.decode(MemorySegment.ofArray(value).asReadOnly());
          }
          continue;
        }
        T decoded =
            decoder.decode(
                MemorySegment.ofArray(page)
                    .asSlice(LeafPage.valueOffset(page, index), LeafPage.valueLength(page, index))
                    .asReadOnly());
        if (leaf.validate(version)) {
          return decoded;
        }
      } catch (ReplacedPageException e) {
        before = startAgain(fixed, before, e);
      } catch (RuntimeException | Error e) {
        // The decoder, or an access of ours, may have met torn bytes (T4): then it does not count.
        if (leaf == null || leaf.validate(version)) {
          throw e;
        }
      }
    }
  }

  /// A stream over the value of `key`, or null.
  public @Nullable InputStream open(@Nullable Node fixed, byte[] key) {
    StoredValue stored = stored(fixed, key);
    return stored == null ? null : stored.open(pages.file());
  }

  /// What the leaf of `key` holds as its value, or null. The loop is in [#read] as well.
  public @Nullable StoredValue stored(@Nullable Node fixed, byte[] key) {
    ReplacedPageException before = null;
    while (true) {
      Leaf leaf = null;
      int version = 0;
      try {
        leaf = findLeaf(fixed == null ? root.node() : fixed, key);
        version = leaf.version();
        if ((version & 1) != 0) {
          awaitChange(leaf);
          continue;
        }
        byte[] page = pages.use(leaf);
        int index = LeafPage.find(page, key);
        StoredValue stored = index < 0 ? null : StoredValue.of(page, index);
        if (leaf.validate(version)) {
          return stored;
        }
      } catch (ReplacedPageException e) {
        before = startAgain(fixed, before, e);
      } catch (RuntimeException | Error e) {
        if (leaf == null || leaf.validate(version)) {
          throw e; // not of torn bytes (T4)
        }
      }
    }
  }

  /// Whether `key` has an entry.
  public boolean contains(@Nullable Node fixed, byte[] key) {
    return stored(fixed, key) != null;
  }

  /// Lets a reader that met a replaced page start again from the root, if it reads the live tree
  /// and there still is one.
  ///
  /// @param before what this gave the last time that the reader had to, or null
  ReplacedPageException startAgain(
      @Nullable Node fixed, @Nullable ReplacedPageException before, ReplacedPageException e) {
    if (fixed != null) {
      throw e.mismatch();
    }
    requireNotEnded();
    if (e.isSameAs(before)) {
      throw pages.file().damaged(e.mismatch());
    }
    return e;
  }

  /// Records that no reader of the live tree may continue, since its pages are released, or were
  /// left half-way.
  ///
  /// @param why makes the exception for such a reader
  public void end(Supplier<RuntimeException> why) {
    ended = why;
  }

  /// Throws if the live tree was ended.
  public void requireNotEnded() {
    Supplier<RuntimeException> why = ended;
    if (why != null) {
      throw why.get();
    }
  }

  /// Whether the live tree was ended.
  public boolean isEnded() {
    return ended != null;
  }

  /// Waits while a writer changes the leaf; then the reader starts again.
  void awaitChange(Leaf leaf) {
    Backoff.until(
        clock,
        () -> {
          int version = leaf.version();
          if ((version & 1) == 0 || version == Leaf.OBSOLETE) {
            return true;
          }
          requireNotEnded(); // a change that was poisoned is never done
          return false;
        });
  }

  /// A page of the leaf that no writer changes: its own if it is fixed, otherwise a copy of one
  /// state.
  ///
  /// @param passing whether a scan comes by the leaf
  /// @param copies makes the copy, or one that the leaf keeps
  /// @return null if the leaf was replaced, so that the reader must start again
  byte @Nullable [] stablePage(Leaf leaf, boolean fixed, boolean passing, PageCopies copies) {
    while (true) {
      int version = leaf.version();
      if (version == Leaf.OBSOLETE) {
        return null;
      }
      if ((version & 1) != 0) {
        awaitChange(leaf);
        continue;
      }
      byte[] page = pages.use(leaf, passing);
      if (leaf.isClean()) {
        return copies.clean(leaf, page);
      }
      if (fixed) {
        return page;
      }
      byte[] copy = copies.of(page);
      if (leaf.validate(version)) {
        copies.accept(copy);
        return copy;
      }
    }
  }

  /// The number of entries in `from` (inclusive) to `to` (exclusive, or null for no bound) below a
  /// root that no longer changes.
  public long count(Node fixed, byte[] from, byte @Nullable [] to) {
    try {
      return new RangeSums(pages, from, to).entries(fixed, true);
    } catch (ReplacedPageException e) {
      throw e.mismatch();
    }
  }

  /// Of the live tree the entries, about its leaves, and its levels. Reads few pages: the entries
  /// are counted by what parents hold, the leaves by a sample.
  ///
  /// @param entries of no one point in time, while there are writers
  public record Size(long entries, LeafSums leaves, int depth) {}

  /// The size of the live tree.
  public Size size() {
    RangeSums sums = new RangeSums(pages, new byte[0], null);
    ReplacedPageException before = null;
    while (true) {
      requireNotEnded();
      Node now = root.node();
      try {
        return new Size(sums.entries(now, false), sums.sampledLeaves(now), now.level() + 1);
      } catch (ReplacedPageException e) {
        before = startAgain(null, before, e);
      }
    }
  }

  /// About the bytes on disk of the entries in `from` (inclusive) to `to` (exclusive, or null).
  public long approximateBytes(byte[] from, byte @Nullable [] to) {
    RangeSums sums = new RangeSums(pages, from, to);
    ReplacedPageException before = null;
    while (true) {
      try {
        return sums.bytes(root.node());
      } catch (ReplacedPageException e) {
        before = startAgain(null, before, e);
      }
    }
  }
}
