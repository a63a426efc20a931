package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// The children of an inner node and the separators between them: child `i` holds the keys from
/// separator `i - 1` (inclusive) to separator `i` (exclusive). Immutable but for the child slots.
public final class Branches {
  private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Node[].class);

  private final Node[] children;
  private final byte[][] separators;

  /// The bytes that all separators share; the heads start after them.
  private final byte[] prefix;

  private final int[] heads;

  /// Makes branches over the arrays given, which are not copied. There is one separator less than
  /// there are children.
  public Branches(Node[] children, byte[][] separators) {
    assert children.length == separators.length + 1;
    this.children = children;
    this.separators = separators;
    int shared =
        separators.length == 0
            ? 0
            : Bytes.commonPrefix(separators[0], separators[separators.length - 1]);
    this.prefix = shared == 0 ? NO_PREFIX : Arrays.copyOf(separators[0], shared);
    this.heads = new int[separators.length];
    for (int i = 0; i < separators.length; i++) {
      heads[i] = Bytes.head(separators[i], shared, separators[i].length);
    }
  }

  private static final byte[] NO_PREFIX = new byte[0];

  private Branches(Node[] children, byte[][] separators, byte[] prefix, int[] heads) {
    this.children = children;
    this.separators = separators;
    this.prefix = prefix;
    this.heads = heads;
  }

  public int count() {
    return children.length;
  }

  public Node child(int index) {
    return (Node) CHILD.getAcquire(children, index);
  }

  /// Replaces a child by its copy in the current epoch.
  public void child(int index, Node node) {
    CHILD.setRelease(children, index, node);
  }

  /// The separator between child `index` and the next.
  public byte[] separator(int index) {
    return separators[index];
  }

  /// About the bytes that these branches and their child references take on the heap.
  long memoryBytes() {
    return 100L * children.length + separatorBytes();
  }

  /// The bytes of all separators.
  public int separatorBytes() {
    int bytes = 0;
    for (byte[] separator : separators) {
      bytes += separator.length;
    }
    return bytes;
  }

  /// The index of the child that holds `key`.
  public int find(byte[] key) {
    int skip = prefix.length;
    if (skip != 0) {
      int order = Arrays.compareUnsigned(key, 0, Math.min(skip, key.length), prefix, 0, skip);
      if (order != 0) {
        return order < 0 ? 0 : heads.length;
      }
    }
    int head = Bytes.head(key, skip, key.length);
    int low = 0;
    int high = heads.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int separator = heads[middle];
      boolean below =
          separator != head
              ? separator < head
              : Arrays.compareUnsigned(separators[middle], key) <= 0;
      if (below) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The index of the child that holds the greatest key below `key`.
  public int findBelow(byte[] key) {
    int index = find(key);
    return index > 0 && Arrays.equals(separators[index - 1], key) ? index - 1 : index;
  }

  /// The same separators over children of its own, for a copy of the node in another epoch.
  public Branches copy() {
    return new Branches(children.clone(), separators, prefix, heads);
  }

  /// Branches in which child `index` is replaced by several, with the separators between those.
  public Branches replace(int index, Node[] nodes, byte[][] between) {
    assert nodes.length == between.length + 1;
    int added = nodes.length - 1;
    Node[] newChildren = new Node[children.length + added];
    System.arraycopy(children, 0, newChildren, 0, index);
    System.arraycopy(nodes, 0, newChildren, index, nodes.length);
    System.arraycopy(
        children, index + 1, newChildren, index + nodes.length, children.length - index - 1);
    byte[][] newSeparators = new byte[separators.length + added][];
    System.arraycopy(separators, 0, newSeparators, 0, index);
    System.arraycopy(between, 0, newSeparators, index, added);
    System.arraycopy(separators, index, newSeparators, index + added, separators.length - index);
    return index > 0 && index < separators.length
        ? new Branches(newChildren, newSeparators, prefix, insert(index, between))
        : new Branches(newChildren, newSeparators);
  }

  /// The heads with those of separators inserted that lie between two of these, and so share the
  /// prefix.
  private int[] insert(int index, byte[][] between) {
    int[] newHeads = new int[heads.length + between.length];
    System.arraycopy(heads, 0, newHeads, 0, index);
    for (int i = 0; i < between.length; i++) {
      newHeads[index + i] = Bytes.head(between[i], prefix.length, between[i].length);
    }
    System.arraycopy(heads, index, newHeads, index + between.length, heads.length - index);
    return newHeads;
  }

  /// Branches in which the children `index` and `index + 1` are replaced by one.
  public Branches merge(int index, Node node) {
    Node[] newChildren = new Node[children.length - 1];
    System.arraycopy(children, 0, newChildren, 0, index);
    newChildren[index] = node;
    System.arraycopy(children, index + 2, newChildren, index + 1, children.length - index - 2);
    return new Branches(newChildren, without(index));
  }

  /// Branches without child `index`, whose keys then belong to a neighbour.
  public Branches remove(int index) {
    Node[] newChildren = new Node[children.length - 1];
    System.arraycopy(children, 0, newChildren, 0, index);
    System.arraycopy(children, index + 1, newChildren, index, children.length - index - 1);
    return new Branches(newChildren, without(Math.max(index - 1, 0)));
  }

  private byte[][] without(int separator) {
    byte[][] newSeparators = new byte[separators.length - 1][];
    System.arraycopy(separators, 0, newSeparators, 0, separator);
    System.arraycopy(
        separators, separator + 1, newSeparators, separator, separators.length - separator - 1);
    return newSeparators;
  }

  /// The children `from` (inclusive) to `to` (exclusive) with the separators between them.
  public Branches slice(int from, int to) {
    return new Branches(
        Arrays.copyOfRange(children, from, to), Arrays.copyOfRange(separators, from, to - 1));
  }

  /// These branches, the separator given, and then those of `right`.
  public Branches join(byte[] between, Branches right) {
    Node[] newChildren = Arrays.copyOf(children, children.length + right.children.length);
    System.arraycopy(right.children, 0, newChildren, children.length, right.children.length);
    byte[][] newSeparators =
        Arrays.copyOf(separators, separators.length + 1 + right.separators.length);
    newSeparators[separators.length] = between;
    System.arraycopy(
        right.separators, 0, newSeparators, separators.length + 1, right.separators.length);
    return new Branches(newChildren, newSeparators);
  }
}
