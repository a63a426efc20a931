package io.varve.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Branches against a search from the first separator to the last, and against lists.
class BranchesTest {
  @Provide
  Arbitrary<List<byte[]>> separators() {
    return Keys.any().list().ofMaxSize(120).map(BranchesTest::ordered);
  }

  @Provide
  Arbitrary<List<byte[]>> keys() {
    return Keys.any().list().ofMaxSize(40);
  }

  /// Each key once, in order; the empty key separates nothing.
  private static List<byte[]> ordered(Collection<byte[]> keys) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.addAll(keys);
    sorted.remove(new byte[0]);
    return new ArrayList<>(sorted);
  }

  private static Node node(int number) {
    return new Leaf(Extent.of(64 + number, 100), number, number);
  }

  private static List<Node> nodes(int count) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(node(i));
    }
    return nodes;
  }

  private static Branches branches(List<Node> children, List<byte[]> separators) {
    return new Branches(children.toArray(Node[]::new), separators.toArray(byte[][]::new));
  }

  private static void requireEqual(
      Branches branches, List<Node> children, List<byte[]> separators) {
    assertThat(branches.count()).isEqualTo(children.size());
    for (int i = 0; i < children.size(); i++) {
      assertThat(branches.child(i)).isSameAs(children.get(i));
    }
    int bytes = 0;
    for (int i = 0; i < separators.size(); i++) {
      assertThat(branches.separator(i)).isEqualTo(separators.get(i));
      bytes += separators.get(i).length;
    }
    assertThat(branches.separatorBytes()).isEqualTo(bytes);
  }

  private static void requireFinds(Branches branches, List<byte[]> separators, byte[] key) {
    int notAbove = 0;
    int below = 0;
    for (byte[] separator : separators) {
      int order = Arrays.compareUnsigned(separator, key);
      notAbove += order <= 0 ? 1 : 0;
      below += order < 0 ? 1 : 0;
    }
    assertThat(branches.find(key)).isEqualTo(notAbove);
    assertThat(branches.findBelow(key)).isEqualTo(below);
  }

  /// The separators themselves, the keys right below and above them, and others.
  private static void requireFindsAround(
      Branches branches, List<byte[]> separators, List<byte[]> others) {
    for (byte[] separator : separators) {
      requireFinds(branches, separators, separator);
      requireFinds(branches, separators, Arrays.copyOf(separator, separator.length + 1));
      requireFinds(branches, separators, Arrays.copyOf(separator, separator.length - 1));
      byte[] other = separator.clone();
      other[other.length - 1]++;
      requireFinds(branches, separators, other);
      other[other.length - 1] -= 2;
      requireFinds(branches, separators, other);
    }
    others.forEach(key -> requireFinds(branches, separators, key));
    requireFinds(branches, separators, new byte[0]);
  }

  @Property(tries = 500)
  void findsAsASearchOneByOne(
      @ForAll("separators") List<byte[]> separators, @ForAll("keys") List<byte[]> keys) {
    Branches branches = branches(nodes(separators.size() + 1), separators);
    requireFindsAround(branches, separators, keys);
    requireFindsAround(branches.copy(), separators, keys);
  }

  @Property(tries = 300)
  void replaceTakesSeveralForOne(
      @ForAll("separators") List<byte[]> all, @ForAll int from, @ForAll @IntRange(max = 5) int n) {
    Assume.that(all.size() >= n);
    List<Node> children = nodes(all.size() - n + 1);
    int index = Math.floorMod(from, children.size());
    List<byte[]> separators = new ArrayList<>(all);
    List<byte[]> between = new ArrayList<>(separators.subList(index, index + n));
    separators.subList(index, index + n).clear();
    Branches before = branches(children, separators);

    List<Node> added = new ArrayList<>();
    for (int i = 0; i <= n; i++) {
      added.add(node(1000 + i));
    }
    Branches after =
        before.replace(index, added.toArray(Node[]::new), between.toArray(byte[][]::new));

    requireEqual(before, children, separators);
    children.remove(index);
    children.addAll(index, added);
    requireEqual(after, children, all);
    requireFindsAround(after, all, List.of());
  }

  @Property(tries = 300)
  void mergeTakesOneForTwo(@ForAll("separators") List<byte[]> separators, @ForAll int at) {
    Assume.that(!separators.isEmpty());
    List<Node> children = nodes(separators.size() + 1);
    int index = Math.floorMod(at, children.size() - 1);
    Node merged = node(1000);
    Branches after = branches(children, separators).merge(index, merged);
    children.remove(index);
    children.set(index, merged);
    separators.remove(index);
    requireEqual(after, children, separators);
    requireFindsAround(after, separators, List.of());
  }

  @Property(tries = 300)
  void removeLeavesTheKeysToANeighbour(
      @ForAll("separators") List<byte[]> separators, @ForAll int at) {
    Assume.that(!separators.isEmpty());
    List<Node> children = nodes(separators.size() + 1);
    int index = Math.floorMod(at, children.size());
    Branches after = branches(children, separators).remove(index);
    children.remove(index);
    separators.remove(Math.max(index - 1, 0));
    requireEqual(after, children, separators);
    requireFindsAround(after, separators, List.of());
  }

  @Property(tries = 300)
  void sliceAndJoinAreInverse(@ForAll("separators") List<byte[]> separators, @ForAll int at) {
    Assume.that(!separators.isEmpty());
    List<Node> children = nodes(separators.size() + 1);
    int cut = 1 + Math.floorMod(at, children.size() - 1);
    Branches whole = branches(children, separators);
    Branches left = whole.slice(0, cut);
    Branches right = whole.slice(cut, children.size());
    requireEqual(left, children.subList(0, cut), separators.subList(0, cut - 1));
    requireEqual(
        right, children.subList(cut, children.size()), separators.subList(cut, separators.size()));
    requireFindsAround(left, separators.subList(0, cut - 1), separators);
    requireFindsAround(right, separators.subList(cut, separators.size()), separators);
    Branches joined = left.join(separators.get(cut - 1), right);
    requireEqual(joined, children, separators);
    requireFindsAround(joined, separators, List.of());
  }

  @Property(tries = 200)
  void imageHoldsTheSameBranches(@ForAll("separators") List<byte[]> separators) {
    List<Node> children = nodes(separators.size() + 1);
    byte[] image = PageImage.ofInner(branches(children, separators), 1, 2, 3);
    Branches read = PageImage.toBranches(image, 1);
    assertThat(read.count()).isEqualTo(children.size());
    for (int i = 0; i < children.size(); i++) {
      assertThat(read.child(i).extent()).isEqualTo(children.get(i).extent());
      assertThat(read.child(i).checksum()).isEqualTo(children.get(i).checksum());
      assertThat(read.child(i).entryCount()).isEqualTo(children.get(i).entryCount());
    }
    requireFindsAround(read, separators, List.of());
  }

  /// A writer that copies a child into a new epoch must not change what a snapshot reads.
  @Test
  void copyHasChildrenOfItsOwn() {
    List<Node> children = nodes(3);
    Branches original = branches(children, List.of(new byte[] {1}, new byte[] {2}));
    Branches copy = original.copy();
    copy.child(1, node(77));
    requireEqual(original, children, List.of(new byte[] {1}, new byte[] {2}));
    assertThat(copy.child(1).checksum()).isEqualTo(77);
  }

  /// Guards against a node for each leaf that ever was in memory, in branches that are copied again
  /// and again and never become compact.
  @Test
  void copyHoldsNoNodesOfPagesThatLeftMemory() {
    List<Node> children = nodes(4);
    ((Leaf) children.get(2)).page(new byte[1]);
    Branches copy =
        branches(children, List.of(new byte[] {1}, new byte[] {2}, new byte[] {3})).copy();
    requireChildren(copy, children);
    Node written = node(1000);
    children.set(1, written);
    copy.child(1, written);
    requireChildren(copy.copy(), children);
  }

  private static void requireChildren(Branches copy, List<Node> children) {
    for (int i = 0; i < children.size(); i++) {
      Node child = children.get(i);
      assertThat(copy.present(i)).isSameAs(child.isInMemory() ? child : null);
    }
    for (int i = 0; i < children.size(); i++) {
      requireSame(copy.child(i), children.get(i));
    }
  }

  @Property(tries = 500)
  void shortestSeparatorDivides(@ForAll("separators") List<byte[]> keys) {
    for (int i = 1; i < keys.size(); i++) {
      byte[] left = keys.get(i - 1);
      byte[] right = keys.get(i);
      byte[] separator = Bytes.shortestSeparator(left, right);
      assertThat(Arrays.compareUnsigned(left, separator)).isNegative();
      assertThat(Arrays.compareUnsigned(separator, right)).isNotPositive();
      if (separator.length > 0) {
        byte[] shorter = Arrays.copyOf(separator, separator.length - 1);
        assertThat(Arrays.compareUnsigned(shorter, left)).as("no shorter one").isNotPositive();
      }
    }
  }

  /// Compact branches are those that they were made of; a child that is not in memory is made when
  /// it is asked for, and released again.
  @Property(tries = 200)
  void compactBranchesHoldTheSame(
      @ForAll("separators") List<byte[]> separators, @ForAll("keys") List<byte[]> keys) {
    List<Node> children = nodes(separators.size() + 1);
    for (int i = 0; i < children.size(); i += 3) {
      ((Leaf) children.get(i)).page(new byte[100]);
    }
    Branches compact = branches(children, separators).compacted(1);
    assertThat(compact.isCompact()).isTrue();
    for (byte[] key : keys) {
      requireFinds(compact, separators, key);
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < children.size(); i++) {
        Node child = children.get(i);
        boolean inMemory = i % 3 == 0;
        assertThat(compact.present(i)).isSameAs(inMemory ? child : null);
        requireSame(compact.child(i), child);
        assertThat(compact.child(i)).isSameAs(compact.child(i));
        assertThat(compact.entryCount(i)).isEqualTo(child.entryCount());
      }
      assertThat(compact.forgetAbsent()).isTrue();
    }
  }

  /// What a writer puts into a copy of compact branches stays, although the references are old;
  /// also when the copy is written.
  @Property(tries = 200)
  void copyOfCompactBranchesChanges(
      @ForAll("separators") List<byte[]> separators, @ForAll @IntRange(max = 120) int at) {
    List<Node> children = nodes(separators.size() + 1);
    int slot = at % children.size();
    Branches copy = branches(children, separators).compacted(1).copy();
    Node replacement = node(1000);
    children.set(slot, replacement);
    copy.child(slot, replacement);
    copy.forgetAbsent();
    assertThat(copy.child(slot)).isSameAs(replacement);
    byte[] image = PageImage.ofInner(copy, 1, 7, 8);
    Branches written = copy.compacted(1);
    Branches read = PageImage.toBranches(image, 1);
    for (int i = 0; i < children.size(); i++) {
      requireSame(copy.child(i), children.get(i));
      requireSame(written.child(i), children.get(i));
      requireSame(read.child(i), children.get(i));
    }
    for (byte[] separator : separators) {
      requireFinds(read, separators, separator);
    }
  }

  private static void requireSame(Node node, Node expected) {
    assertThat(node.extent()).isEqualTo(expected.extent());
    assertThat(node.checksum()).isEqualTo(expected.checksum());
    assertThat(node.entryCount()).isEqualTo(expected.entryCount());
    assertThat(node.level()).isEqualTo(expected.level());
  }

  /// A node whose children are all away may leave memory, and only then.
  @Test
  void compactBranchesForgetChildrenThatAreNotInMemory() {
    Leaf first = (Leaf) node(0);
    Leaf second = (Leaf) node(1);
    Branches branches = branches(List.of(first, second), List.of(new byte[] {1})).compacted(1);
    assertThat(branches.forgetAbsent()).isFalse();
    assertThat(branches.present(0)).isNull();

    Node loaded = branches.child(0);
    ((Leaf) loaded).page(LeafPage.create(1024, new byte[0], 0));
    assertThat(branches.forgetAbsent()).isTrue();
    assertThat(branches.present(0)).isSameAs(loaded);
    assertThat(branches.present(1)).isNull();
    ((Leaf) loaded).page(null);
    assertThat(branches.forgetAbsent()).isFalse();
    assertThat(branches.present(0)).isNull();
  }

  @Test
  void referenceToDirtyPageIsRefused() {
    Leaf dirty = new Leaf(7, LeafPage.create(1024, new byte[0], 0));
    assertThatIllegalStateException().isThrownBy(() -> new References(1, 0).set(0, dirty));
  }
}
