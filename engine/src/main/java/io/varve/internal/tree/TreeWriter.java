package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Bytes;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes one tree. For one thread at a time, which holds the space's write lock from the first
/// `prepare` to the last change.
///
/// A change has two steps, so that it can still be refused between them. *Prepare* finds the leaf,
/// copies what older epochs own, and compacts or splits, which alters no answer. *Apply* cannot
/// fail. Both happen in one epoch. `prepare` never reads from disk: if pages are missing it reports
/// that, and the caller releases its locks, loads them ([NeededPages]) and tries again.
public final class TreeWriter {
  /// What a child counts in addition to its separator where inner nodes are cut evenly: with it, a
  /// node that is full of children weighs as much as one that is full of separators.
  private static final int CHILD_WEIGHT =
      InnerLimits.SEPARATOR_BYTES_MAX / InnerLimits.CHILDREN_MAX;

  private static final int LINGERING = 128;

  private final Tree tree;
  private final Pages pages;
  private final Epochs epochs;
  private final NodeMerger merger;

  private WritePath path;

  /// Whether the next search may well end in the leaf of the newest, in a cache line of its own:
  /// read without the lock, racy by intent, and so written only where it changes.
  private final byte[] lingering = new byte[2 * LINGERING];

  /// What was found for the next change without the lock, or null.
  private @Nullable Approach approach;

  /// Whether nodes are being replaced, so that what breaks off leaves the tree or the accounts of
  /// its pages half-way. The large arrays that a change needs are made before.
  private boolean halfDone;

  /// Where the prepared change goes in the leaf: an index, or the complement of one.
  private int found;

  /// Makes the writer of a tree.
  public TreeWriter(Tree tree, Epochs epochs) {
    this.tree = tree;
    this.pages = tree.pages();
    this.epochs = epochs;
    this.path = new WritePath(tree);
    this.merger = new NodeMerger(tree, epochs);
  }

  /// Finds what a change of `key` needs, without the lock, for [#follow] under the lock. For any
  /// thread.
  ///
  /// @param puts whether it puts an entry
  /// @return null if a page is missing, which is named then; or if the path before this one ended
  ///   where others did, so that a search under the lock may well need no step
  public @Nullable Approach approach(byte[] key, boolean puts, NeededPages needed) {
    return lingering[LINGERING] != 0 ? null : Approach.find(tree, epochs, key, puts, needed);
  }

  /// Lets the next preparation begin with what was found without the lock, if that is still valid.
  public void follow(@Nullable Approach found) {
    approach = found;
  }

  /// Goes to the leaf of `key`.
  ///
  /// @return false if a page is missing
  private boolean goTo(byte[] key, NeededPages needed) {
    Approach offered = approach;
    if (offered != null) {
      if (offered.leadsTo(key)) {
        offered.path().comesAfter(path);
        path = offered.path();
        noteLingering();
        return true;
      }
      approach = null;
    }
    boolean found = path.descend(key, needed);
    noteLingering();
    return found;
  }

  private void noteLingering() {
    byte now = (byte) (path.isLingering() ? 1 : 0);
    if (lingering[LINGERING] != now) {
      lingering[LINGERING] = now;
    }
  }

  /// Where `key` is in the leaf that was gone to.
  private int indexOf(byte[] key) {
    Approach followed = approach;
    return followed == null ? LeafPage.find(path.page(), key) : followed.index();
  }

  /// Gets ready to put an entry.
  ///
  /// @return false if a page is missing; nothing was changed
  public boolean preparePut(byte[] key, int valueLength, long epoch, NeededPages needed) {
    if (!goTo(key, needed)) {
      return false;
    }
    found = indexOf(key);
    makeWritable(epoch);
    approach = null;
    if (found >= 0 && LeafPage.fitsOverValue(path.page(), found, valueLength)) {
      return true;
    }
    if (!LeafPage.fitsInPlace(path.page(), key, valueLength)) {
      do {
        compactOrSplit(key, valueLength, epoch);
      } while (!LeafPage.fitsInPlace(path.page(), key, valueLength));
      found = LeafPage.find(path.page(), key);
    }
    return true;
  }

  /// Gets ready to delete a key.
  ///
  /// @return false if a page is missing; nothing was changed
  public boolean prepareDelete(byte[] key, long epoch, NeededPages needed) {
    if (!goTo(key, needed)) {
      return false;
    }
    found = indexOf(key);
    if (found >= 0) {
      makeWritable(epoch);
    } else {
      path.forget(); // no write may follow that ends this (PATH-1)
    }
    approach = null;
    return true;
  }

  /// Whether a change broke off while it replaced nodes: the tree must not be used any more.
  public boolean isHalfDone() {
    return halfDone;
  }

  /// Begins the next search at the root, and holds no page until then (PATH-1).
  public void forget() {
    approach = null;
    path.forget();
  }

  /// What the leaf holds for the prepared key, or null.
  public @Nullable StoredValue found() {
    return found < 0 ? null : StoredValue.of(path.page(), found);
  }

  /// Puts the entry that was prepared.
  ///
  /// @param tag the value tag: its length, with [LeafPage#LARGE] if it is a reference
  public void put(byte[] key, byte[] value, int tag, long epoch) {
    Leaf target = path.leaf();
    byte[] page = path.page();
    retireLarge(page, found, epoch);
    target.beginChange();
    apply(page, found, key, value, tag);
    target.endChange();
    valueAdded(value, tag, epoch);
  }

  private static void apply(byte[] page, int index, byte[] key, byte[] value, int tag) {
    if (index < 0) {
      LeafPage.insert(page, ~index, key, value, tag);
    } else if (LeafPage.fitsOverValue(page, index, value.length)) {
      LeafPage.overwriteValue(page, index, value, tag);
    } else {
      LeafPage.replaceValue(page, index, key, value, tag);
    }
  }

  /// Deletes the key that was prepared, if it is there.
  public void delete(long epoch) {
    if (found < 0) {
      return;
    }
    Leaf target = path.leaf();
    byte[] page = path.page();
    retireLarge(page, found, epoch);
    target.beginChange();
    LeafPage.remove(page, found);
    target.endChange();
    merger.mergeIfSmall(path, epoch);
  }

  private void retireLarge(byte[] page, int index, long epoch) {
    if (index >= 0 && LeafPage.isLarge(page, index)) {
      pages.retireLarge(LeafPage.value(page, index), epoch);
    }
  }

  private void valueAdded(byte[] value, int tag, long epoch) {
    if ((tag & LeafPage.LARGE) != 0) {
      pages.valueAdded(value, epoch);
    }
  }

  private static byte[] pageOf(Leaf dirty) {
    byte[] page = dirty.page();
    if (page == null) {
      throw new IllegalStateException("page of a dirty leaf is not in memory");
    }
    return page;
  }

  /// Copies what the path holds of older epochs into this one (T2), from the root down.
  private void makeWritable(long epoch) {
    Leaf target = path.leaf();
    if (target.epoch() == epoch) {
      return;
    }
    makePathWritable(epoch);
    tree.pruneRoots(epochs); // a checkpoint that released one found this writer at work
    Approach followed = approach;
    byte[] page = followed == null ? path.copyOfPage() : followed.copy();
    halfDone = true;
    Leaf copy = pages.newLeaf(epoch, page);
    replaceChild(path.depth(), copy, epoch);
    tree.retire(target, epoch, epochs);
    path.replaced(copy, page);
    halfDone = false;
  }

  private void makePathWritable(long epoch) {
    for (int level = 0; level < path.depth(); level++) {
      Inner inner = path.inner(level);
      if (inner.epoch() != epoch) {
        Branches branches = path.branches(level).copy();
        halfDone = true;
        Inner copy = pages.newInner(epoch, inner.level(), branches);
        replaceChild(level, copy, epoch);
        tree.retire(inner, epoch, epochs);
        path.replaced(level, copy, branches);
        halfDone = false;
      }
    }
  }

  /// Puts `node` where the path has its node of that level (`depth` for the leaf).
  private void replaceChild(int level, Node node, long epoch) {
    if (level == 0) {
      tree.publishRoot(node, epoch, epochs);
    } else {
      WritePath.branchesOf(path.inner(level - 1)).child(path.slot(level - 1), node);
    }
  }

  /// Compacts or splits the leaf, which alters no answer, and goes to the half where `key` belongs.
  private void compactOrSplit(byte[] key, int valueLength, long epoch) {
    byte[] page = path.page();
    int count = LeafPage.count(page);
    int entry = LeafPage.entryBytes(key.length, valueLength);
    if (count <= 1) {
      // Too few entries to split: the page grows beyond the usual size.
      int needed = LeafPage.bytesFor(LeafPage.liveBytes(page) + entry);
      replacePage(LeafPage.rebuild(page, 0, count, Math.max(pages.pageBytes(), needed), key));
      return;
    }
    if (LeafPage.freeBytes(page) >= entry + pages.pageBytes() / 8) {
      byte[] compact = LeafPage.rebuild(page, 0, count, pages.pageBytes(), key);
      if (LeafPage.fitsInPlace(compact, key, valueLength)) {
        replacePage(compact);
        return;
      }
    }
    split(page, key, epoch);
    path.descendDirty(key);
  }

  private void replacePage(byte[] replacement) {
    Leaf target = path.leaf();
    halfDone = true;
    pages.resized(target, path.page().length, replacement.length);
    target.beginChange();
    target.page(replacement);
    target.endChange();
    path.replaced(target, replacement);
    halfDone = false;
  }

  private void split(byte[] page, byte[] key, long epoch) {
    int count = LeafPage.count(page);
    int index = LeafPage.find(page, key);
    int place = index < 0 ? ~index : index;
    int at;
    byte[] separator;
    if (index < 0 && place > 0 && isAppended(page, place, count)) {
      at = place;
      separator = Bytes.shortestSeparator(LeafPage.key(page, at - 1), key);
    } else if (place == 0 && index < 0 && path.isFirst()) {
      at = 0;
      separator = Bytes.shortestSeparator(key, LeafPage.key(page, 0));
    } else {
      at = LeafPage.middle(page);
      separator = Bytes.shortestSeparator(LeafPage.key(page, at - 1), LeafPage.key(page, at));
    }
    Leaf old = path.leaf();
    byte[] left = half(page, 0, at, key);
    byte[] right = half(page, at, count, key);
    halfDone = true;
    Node[] halves = {pages.newLeaf(epoch, left), pages.newLeaf(epoch, right)};
    publish(path.depth(), halves, new byte[][] {separator}, epoch);
    tree.retire(old, epoch, epochs);
    path.forget();
    halfDone = false;
  }

  /// Whether keys seem to come in ascending order here, so that the left half should stay full.
  private boolean isAppended(byte[] page, int place, int count) {
    return (path.isLast() && place == count) || LeafPage.isAscendingRun(page, place);
  }

  /// One half of a page that splits; an empty one gets the prefix that its neighbours make likely.
  private byte[] half(byte[] page, int from, int to, byte[] key) {
    if (from < to) {
      return LeafPage.rebuild(page, from, to, pages.pageBytes(), null);
    }
    byte[] neighbour = LeafPage.key(page, from > 0 ? from - 1 : 0);
    // Bounded, so that the page keeps bytes for entries.
    int prefix = Math.min(Bytes.commonPrefix(neighbour, key), pages.pageBytes() / 4);
    return LeafPage.create(pages.pageBytes(), key, prefix);
  }

  /// Replaces the node at `level` of the path by several, splitting inner nodes as they overflow.
  private void publish(int level, Node[] nodes, byte[][] between, long epoch) {
    if (level == 0) {
      Node root =
          nodes.length == 1
              ? nodes[0]
              : pages.newInner(epoch, nodes[0].level() + 1, new Branches(nodes, between));
      while (root instanceof Inner inner && InnerLimits.overflow(WritePath.branchesOf(inner))) {
        Branches branches = WritePath.branchesOf(inner);
        Parts parts = cut(branches, inner.level(), epoch, true);
        root =
            pages.newInner(epoch, inner.level() + 1, new Branches(parts.nodes, parts.separators));
      }
      tree.publishRoot(root, epoch, epochs);
      return;
    }
    Inner parent = path.inner(level - 1);
    int slot = path.slot(level - 1);
    Branches branches = WritePath.branchesOf(parent).replace(slot, nodes, between);
    if (!InnerLimits.overflow(branches)) {
      parent.branches(branches);
      return;
    }
    boolean append = slot + nodes.length == branches.count();
    Parts parts = cut(branches, parent.level(), epoch, append);
    publish(level - 1, parts.nodes, parts.separators, epoch);
    tree.retire(parent, epoch, epochs);
  }

  private record Parts(Node[] nodes, byte[][] separators) {}

  /// Cuts branches into nodes that fit: full ones where entries are appended, else even ones.
  private Parts cut(Branches branches, int level, long epoch, boolean append) {
    int count = branches.count();
    long weight = (long) CHILD_WEIGHT * count + branches.separatorBytes();
    int parts =
        Math.max(
            2,
            Math.max(
                Math.ceilDiv(count, InnerLimits.CHILDREN_MAX),
                Math.ceilDiv(branches.separatorBytes(), InnerLimits.SEPARATOR_BYTES_MAX)));
    List<Node> nodes = new ArrayList<>();
    List<byte[]> separators = new ArrayList<>();
    int from = 0;
    while (from < count) {
      int left = Math.max(1, parts - nodes.size());
      int to = endOfPart(branches, from, append ? Long.MAX_VALUE : Math.ceilDiv(weight, left));
      if (from > 0) {
        separators.add(branches.separator(from - 1));
      }
      Branches part = branches.slice(from, to);
      nodes.add(pages.newInner(epoch, level, part));
      weight -= (long) CHILD_WEIGHT * part.count() + part.separatorBytes();
      from = to;
    }
    return new Parts(nodes.toArray(Node[]::new), separators.toArray(byte[][]::new));
  }

  /// Where a node ends that begins with child `from`: it fits, and weighs no more than its share.
  private static int endOfPart(Branches branches, int from, long share) {
    int to = from + 1;
    long bytes = 0;
    while (to < branches.count() && to - from < InnerLimits.CHILDREN_MAX) {
      long more = bytes + branches.separatorLength(to - 1);
      if (more > InnerLimits.SEPARATOR_BYTES_MAX
          || more + (long) CHILD_WEIGHT * (to - from + 1) > share) {
        break;
      }
      bytes = more;
      to++;
    }
    return to;
  }

  /// Finds all leaves of many changes, and changes none. What is missing is named.
  public void find(Changes changes, NeededPages needed) {
    int from = 0;
    while (from < changes.size()) {
      path.descend(changes.key(from), needed);
      from = endInLeaf(changes, from);
    }
  }

  /// Where the changes end that fall into the leaf which the one at `from` led to.
  private int endInLeaf(Changes changes, int from) {
    int to = from + 1;
    while (to < changes.size() && path.isBelowUpper(changes.key(to))) {
      to++;
    }
    return to;
  }

  /// Gets ready to apply many changes that become visible together.
  ///
  /// @return the plan, or null if pages are missing, all of which are named then; nothing was
  ///   changed
  public @Nullable BatchPlan prepare(Changes changes, long epoch, NeededPages needed) {
    BatchPlan plan = new BatchPlan();
    int from = 0;
    while (from < changes.size()) {
      boolean found = path.descend(changes.key(from), needed);
      int to = endInLeaf(changes, from);
      if (found && !needed.areMissing()) {
        plan.steps.add(step(changes, from, to, epoch));
      }
      from = to;
    }
    return needed.areMissing() ? null : plan;
  }

  private BatchPlan.Step step(Changes changes, int from, int to, long epoch) {
    makeWritable(epoch);
    return BatchPlan.fitInPlace(path.page(), changes, from, to)
        ? new BatchPlan.InPlace(path.leaf(), from, to)
        : rebuild(changes, from, to);
  }

  private BatchPlan.Rebuild rebuild(Changes changes, int from, int to) {
    byte[] page = path.page();
    MergedEntries entries = new MergedEntries(LeafPage.count(page) + to - from);
    entries.merge(page, changes, from, to);
    List<byte[]> built =
        entries.cut(pages.pageBytes(), changes.fillPercent(), /* append= */ path.isLast());
    return new BatchPlan.Rebuild(path.leaf(), changes.key(from), built, from, to);
  }

  /// Shuts readers out of every leaf of the plan, until [#end].
  public void begin(BatchPlan plan) {
    for (BatchPlan.Step step : plan.steps) {
      step.leaf().beginChange();
    }
  }

  /// Applies a plan that has begun.
  public void apply(BatchPlan plan, Changes changes, long epoch) {
    for (BatchPlan.Step step : plan.steps) {
      byte[] page = pageOf(step.leaf());
      noteLarge(page, changes, step.from(), step.to(), epoch);
      switch (step) {
        case BatchPlan.InPlace inPlace -> {
          for (int i = inPlace.from(); i < inPlace.to(); i++) {
            applyOne(page, changes, i);
          }
        }
        case BatchPlan.Rebuild rebuild -> replace(rebuild, epoch);
      }
    }
  }

  private void noteLarge(byte[] page, Changes changes, int from, int to, long epoch) {
    boolean large = LeafPage.hasLarge(page);
    for (int i = from; i < to; i++) {
      if (large) {
        retireLarge(page, LeafPage.find(page, changes.key(i)), epoch);
      }
      byte[] value = changes.value(i);
      if (value != null) {
        valueAdded(value, changes.tag(i), epoch);
      }
    }
  }

  private static void applyOne(byte[] page, Changes changes, int i) {
    byte[] key = changes.key(i);
    byte[] value = changes.value(i);
    int index = LeafPage.find(page, key);
    if (value != null) {
      apply(page, index, key, value, changes.tag(i));
    } else if (index >= 0) {
      LeafPage.remove(page, index);
    }
  }

  private void replace(BatchPlan.Rebuild rebuild, long epoch) {
    path.descendNext();
    path.descendDirty(rebuild.firstKey());
    if (path.leaf() != rebuild.leaf()) {
      throw new IllegalStateException("a prepared leaf is not where it was");
    }
    List<byte[]> built = rebuild.pages();
    Node[] leaves = new Node[built.size()];
    byte[][] separators = new byte[built.size() - 1][];
    for (int i = 0; i < leaves.length; i++) {
      byte[] page = built.get(i);
      leaves[i] = pages.newLeaf(epoch, page);
      if (i > 0) {
        byte[] before = built.get(i - 1);
        separators[i - 1] =
            Bytes.shortestSeparator(
                LeafPage.key(before, LeafPage.count(before) - 1), LeafPage.key(page, 0));
      }
    }
    publish(path.depth(), leaves, separators, epoch);
    tree.retire(rebuild.leaf(), epoch, epochs);
    path.forget();
  }

  /// Lets readers in again: they see all of the plan.
  public void end(BatchPlan plan) {
    for (BatchPlan.Step step : plan.steps) {
      switch (step) {
        case BatchPlan.InPlace inPlace -> inPlace.leaf().endChange();
        case BatchPlan.Rebuild rebuild -> rebuild.leaf().becomeObsolete();
      }
    }
  }

  /// Applies those of many changes, from `from` on, that fall into the leaf of the first. For a
  /// replay: nobody reads the tree.
  ///
  /// @return the index of the first that falls into another leaf; `from` if a page is missing
  public int applyInLeaf(Changes changes, int from, long epoch, NeededPages needed) {
    if (!path.descend(changes.key(from), needed)) {
      return from;
    }
    int to = endInLeaf(changes, from);
    BatchPlan plan = new BatchPlan();
    plan.steps.add(step(changes, from, to, epoch));
    begin(plan);
    apply(plan, changes, epoch);
    end(plan);
    tidy(changes, from, to, epoch);
    return to;
  }

  /// Merges leaves that the deletes of a plan have made small.
  public void tidy(Changes changes, long epoch) {
    tidy(changes, 0, changes.size(), epoch);
  }

  private void tidy(Changes changes, int from, int to, long epoch) {
    NeededPages needed = new NeededPages();
    for (int i = from; i < to; i++) {
      if (changes.value(i) == null && path.descend(changes.key(i), needed)) {
        if (path.leaf().epoch() == epoch) {
          merger.mergeIfSmall(path, epoch);
        }
      }
    }
  }

  /// Copies the leaf of `key` into the current epoch unchanged, so that the next checkpoint writes
  /// it again, to a better extent.
  ///
  /// @return false if a page is missing; nothing was changed
  public boolean rewrite(byte[] key, long epoch, NeededPages needed) {
    if (!path.descend(key, needed)) {
      return false;
    }
    makeWritable(epoch);
    return true;
  }
}
