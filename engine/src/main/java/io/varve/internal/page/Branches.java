package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The children of an inner node and the separators between them: child `i` holds the keys from
/// separator `i - 1` (inclusive) to separator `i` (exclusive). Immutable except the child slots.
///
/// Branches of nodes that no longer change and whose children are clean are *compact*: they hold
/// the references to their children as bytes, which take a third of what the children would as
/// objects. They make a child when somebody comes to it.
///
/// - (B1) A slot is null only where there is such a reference to the child that belongs there. The
///   child that is made of it is put into the slot once, so that all threads get the same.
/// - (B2) A slot of compact branches becomes null again, and one of a copy begins as null, only
///   while its child is not in memory. A thread that still holds that child may load its page
///   concurrently with another of the same extent. The bytes are equal (N1), and the version of a
///   clean leaf never changes, since writers change copies.
/// - (B3) A copy is not compact: its references are those of the children that were not replaced.
public final class Branches {
  private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Node[].class);

  /// What all fields and arrays take apart from their elements.
  private static final int FIXED_BYTES = 160;

  /// What a child takes: slot, end, head.
  private static final int CHILD_BYTES = 12;

  /// What a node takes that is made for a reference.
  private static final int NODE_BYTES = 72;

  private final @Nullable Node[] children;

  /// The references to the children as of when these were read or written; null if all children are
  /// in their slots.
  private final @Nullable References references;

  private final boolean compact;

  private final Separators separators;

  /// Makes branches over the arrays given; that of the children is not copied. There is one
  /// separator less than there are children.
  public Branches(Node[] children, byte[][] separators) {
    this(children, null, false, Separators.of(separators));
  }

  private Branches(
      @Nullable Node[] children,
      @Nullable References references,
      boolean compact,
      Separators separators) {
    assert children.length == separators.count() + 1;
    this.children = children;
    this.references = references;
    this.compact = compact;
    this.separators = separators;
  }

  /// Makes branches none of whose children is in memory.
  static Branches of(References references, byte[][] separators) {
    return new Branches(new Node[references.count()], references, true, Separators.of(separators));
  }

  public int count() {
    return children.length;
  }

  public Node child(int index) {
    Node child = present(index);
    return child != null ? child : make(index);
  }

  /// The child in a slot, or null if nobody came to it: then it is clean and not in memory.
  public @Nullable Node present(int index) {
    return (Node) CHILD.getAcquire(children, index);
  }

  private Node make(int index) {
    References present = references;
    if (present == null) {
      throw new IllegalStateException("no child in a slot: slot=" + index);
    }
    Node made = present.node(index);
    Node before = (Node) CHILD.compareAndExchange(children, index, null, made);
    return before == null ? made : before;
  }

  /// Replaces a child by its copy in the current epoch.
  public void child(int index, Node node) {
    CHILD.setRelease(children, index, node);
  }

  /// The entries below a child that is clean.
  public long entryCount(int index) {
    Node child = present(index);
    return child != null ? child.entryCount() : references().entryCount(index);
  }

  private References references() {
    References present = references;
    if (present == null) {
      throw new IllegalStateException("branches without references");
    }
    return present;
  }

  /// The references to all children, which are clean, as they are now.
  ///
  /// @param level of the node
  References toReferences(int level) {
    References now = new References(count(), level - 1);
    for (int i = 0; i < children.length; i++) {
      Node child = present(i);
      if (child == null) {
        now.copy(i, references());
      } else {
        now.set(i, child);
      }
    }
    return now;
  }

  /// These branches, all of whose children are clean, so that they hold references to them.
  ///
  /// @param level of the node
  Branches compacted(int level) {
    Branches result = new Branches(children.clone(), toReferences(level), true, separators);
    result.forgetAbsent();
    return result;
  }

  boolean isCompact() {
    return compact;
  }

  boolean areChildrenClean() {
    for (int i = 0; i < children.length; i++) {
      Node child = present(i);
      if (child != null && !child.isClean()) {
        return false;
      }
    }
    return true;
  }

  /// Releases children that are not in memory, if these are compact (B2).
  ///
  /// @return whether any child is in memory
  public boolean forgetAbsent() {
    boolean any = false;
    for (int i = 0; i < children.length; i++) {
      Node child = present(i);
      if (child == null) {
        continue;
      }
      if (child.isInMemory()) {
        any = true;
      } else if (compact) {
        CHILD.compareAndSet(children, i, child, null);
      }
    }
    return any;
  }

  /// The separator between child `index` and the next.
  public byte[] separator(int index) {
    return separators.get(index);
  }

  /// The bytes of that separator.
  public int separatorLength(int index) {
    return separators.length(index);
  }

  /// The order of the separator between child `index` and the next, and a key.
  public int compareSeparator(int index, byte[] key) {
    return separators.compare(index, key);
  }

  /// About the bytes that these branches take on the heap, and the nodes that must be there.
  /// Constant. Nodes of children that are in memory count with their pages.
  public long memoryBytes() {
    int each = CHILD_BYTES + (compact ? References.BYTES : NODE_BYTES);
    return FIXED_BYTES + (long) each * children.length + separators.length();
  }

  /// The bytes of all separators.
  public int separatorBytes() {
    return separators.length();
  }

  /// The index of the child that holds `key`.
  public int find(byte[] key) {
    return separators.find(key);
  }

  /// Touches the memory that a search begins with, for a caller with many searches to make. The
  /// caller stores what this returns, so that the access is not optimized away.
  public int touch() {
    return separators.touch();
  }

  /// The index of the child that holds the greatest key below `key`.
  public int findBelow(byte[] key) {
    int index = find(key);
    return index > 0 && separators.compare(index - 1, key) == 0 ? index - 1 : index;
  }

  /// The same separators over children of its own, for a copy of the node in another epoch.
  ///
  /// The copy begins without the nodes of children that are not in memory (B2): in a node that
  /// changes in each epoch they would stay forever, one for each leaf that ever was in memory.
  public Branches copy() {
    @Nullable Node[] copies = children.clone();
    @Nullable References changed = null;
    for (int i = 0; i < copies.length; i++) {
      Node child = copies[i];
      if (child != null && !child.isInMemory()) {
        if (changed == null) {
          changed =
              references == null ? new References(copies.length, child.level()) : references.copy();
        }
        changed.set(i, child);
        copies[i] = null;
      }
    }
    return new Branches(copies, changed == null ? references : changed, false, separators);
  }

  /// All children.
  private Node[] nodes() {
    Node[] nodes = new Node[children.length];
    Arrays.setAll(nodes, this::child);
    return nodes;
  }

  /// Branches in which child `index` is replaced by several, with the separators between those.
  public Branches replace(int index, Node[] replacements, byte[][] between) {
    assert replacements.length == between.length + 1;
    return replaceNodes(
        index, index + 1, replacements, separators.replace(index, index, Separators.of(between)));
  }

  private Branches replaceNodes(int from, int to, Node[] replacements, Separators newSeparators) {
    Node[] old = nodes();
    Node[] nodes = new Node[old.length - (to - from) + replacements.length];
    System.arraycopy(old, 0, nodes, 0, from);
    System.arraycopy(replacements, 0, nodes, from, replacements.length);
    System.arraycopy(old, to, nodes, from + replacements.length, old.length - to);
    return new Branches(nodes, null, false, newSeparators);
  }

  /// Branches in which the children `index` and `index + 1` are replaced by one.
  public Branches merge(int index, Node node) {
    return replaceNodes(index, index + 2, new Node[] {node}, without(index));
  }

  /// Branches without child `index`, whose keys then belong to a neighbour.
  public Branches remove(int index) {
    return replaceNodes(index, index + 1, new Node[0], without(Math.max(index - 1, 0)));
  }

  private Separators without(int separator) {
    return separators.replace(separator, separator + 1, Separators.NONE);
  }

  /// The children `from` (inclusive) to `to` (exclusive) with the separators between them.
  public Branches slice(int from, int to) {
    return new Branches(
        Arrays.copyOfRange(nodes(), from, to), null, false, separators.slice(from, to - 1));
  }

  /// These branches, the separator given, and then those of `right`.
  public Branches join(byte[] between, Branches right) {
    int end = separators.count();
    Separators joined = separators.replace(end, end, Separators.of(new byte[][] {between}));
    return replaceNodes(
        count(), count(), right.nodes(), joined.replace(end + 1, end + 1, right.separators));
  }
}
