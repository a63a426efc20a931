package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// When nodes are split, merged and changed in place, by the nodes themselves.
class TreeWriterTest {
  private static final long EPOCH = 1;
  private static final int FIRST = 1_000;

  private final MemoryPages memory = MemoryPages.open();
  private final Pages pages = memory.pages();
  private final Tree tree = Tree.empty(pages, Clock.SYSTEM, EPOCH);
  private final TreeWriter writer = new TreeWriter(tree, memory.epochs(EPOCH));
  private final NeededPages needed = new NeededPages();

  @AfterEach
  void accountsAreThoseOfTheTree() throws IOException {
    assertThat(pages.cache().dirtyBytes()).isEqualTo(weight(tree.root()));
    memory.close();
  }

  /// What the leaves of a tree weigh, all of which are dirty.
  private static long weight(Node node) {
    return switch (node) {
      case Leaf leaf -> leaf.page().length + 96L;
      case Inner inner -> {
        Branches branches = inner.branches();
        long sum = 0;
        for (int i = 0; i < branches.count(); i++) {
          sum += weight(branches.child(i));
        }
        yield sum;
      }
    };
  }

  private static byte[] key(int number) {
    return "key%08d".formatted(number).getBytes(ISO_8859_1);
  }

  private void put(int number, int valueBytes) {
    assertThat(writer.preparePut(key(number), valueBytes, EPOCH, needed)).isTrue();
    writer.put(key(number), new byte[valueBytes], valueBytes, EPOCH);
  }

  private void delete(int number) {
    assertThat(writer.prepareDelete(key(number), EPOCH, needed)).isTrue();
    writer.delete(EPOCH);
  }

  private Branches root() {
    return ((Inner) tree.root()).branches();
  }

  private static Branches branches(Branches parent, int slot) {
    return ((Inner) parent.child(slot)).branches();
  }

  private static int entries(Node leaf) {
    return LeafPage.count(((Leaf) leaf).page());
  }

  private int fillOneLeaf() {
    int count = 0;
    while (tree.root() instanceof Leaf leaf && LeafPage.fitsInPlace(leaf.page(), key(count), 100)) {
      put(count++, 100);
    }
    return count;
  }

  @Test
  void aFullLeafTakesValuesOverOthers() {
    int count = fillOneLeaf();
    Node leaf = tree.root();
    for (int i = 0; i < count; i++) {
      put(i, 100);
    }
    assertThat(tree.root()).isSameAs(leaf);
    put(count, 100);
    assertThat(root().count()).isEqualTo(2);
  }

  /// Keys that come in order leave full leaves.
  @Test
  void appendsLeaveTheLeafFull() {
    int count = fillOneLeaf();
    put(count, 100);
    assertThat(entries(root().child(0))).isEqualTo(count);
    assertThat(entries(root().child(1))).isEqualTo(1);
    assertThat(root().find(key(count - 1))).isZero();
    assertThat(root().find(key(count))).isEqualTo(1);
  }

  /// So does a key before all others.
  @Test
  void aKeyBeforeAllOthersLeavesTheLeafFull() {
    int from = fillOneLeafDownwards();
    int count = entries(tree.root());
    put(from - 1, 100);
    assertThat(entries(root().child(0))).isEqualTo(1);
    assertThat(entries(root().child(1))).isEqualTo(count);
  }

  /// And a key after all others, though those before it came in no ascending order.
  @Test
  void aKeyAfterAllOthersLeavesTheLeafFull() {
    fillOneLeafDownwards();
    int count = entries(tree.root());
    put(FIRST + 2, 100);
    assertThat(entries(root().child(0))).isEqualTo(count);
    assertThat(entries(root().child(1))).isEqualTo(1);
  }

  @Test
  void aKeyBetweenOthersCutsTheLeafInHalves() {
    int from = fillOneLeafDownwards();
    int count = entries(tree.root());
    put(from + 3, 100);
    int left = entries(root().child(0));
    int right = entries(root().child(1));
    assertThat(left + right).isEqualTo(count + 1);
    assertThat(Math.abs(left - right)).isLessThanOrEqualTo(2);
  }

  /// Puts keys two apart, from [#FIRST] down.
  ///
  /// @return the least
  private int fillOneLeafDownwards() {
    int at = FIRST;
    put(at, 100);
    while (LeafPage.fitsInPlace(((Leaf) tree.root()).page(), key(at - 2), 100)) {
      at -= 2;
      put(at, 100);
    }
    return at;
  }

  /// A leaf is merged when what it holds takes a quarter of a page, and is gone when it is empty.
  @Test
  void aLeafThatIsEmptyIsGone() {
    int count = fillOneLeaf();
    put(count, 100);
    delete(count);
    assertThat(tree.root()).isInstanceOf(Leaf.class);
    assertThat(entries(tree.root())).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      delete(i);
    }
    assertThat(entries(tree.root())).isZero();
    put(1, 10);
    assertThat(tree.get(null, key(1))).hasSize(10);
  }

  @Test
  void aDeleteOfWhatIsNotThereChangesNothing() {
    put(1, 10);
    Node leaf = tree.root();
    int version = ((Leaf) leaf).version();
    delete(2);
    assertThat(tree.root()).isSameAs(leaf);
    assertThat(((Leaf) leaf).version()).isEqualTo(version);
    assertThat(writer.found()).isNull();
  }

  /// Four inner nodes below the root, of which all but the last are full.
  ///
  /// @return how many keys they lead to
  private int fillInnerNodes() {
    int count = 0;
    while (tree.root().level() < 2 || root().count() < 4 || branches(root(), 3).count() < 100) {
      put(count++, 100);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(branches(root(), i).count()).isEqualTo(InnerLimits.CHILDREN_MAX);
    }
    return count;
  }

  /// A node with less than a sixth of the children that it may have goes to a neighbour, where that
  /// has capacity for them: not to one of the full ones.
  @Test
  void anInnerNodeOfFewChildrenIsMergedWithItsNeighbour() {
    fillInnerNodes();
    int third = firstKey(2);
    int last = branches(root(), 3).count();
    int children = 0;
    int number = third;
    while (root().count() == 4) {
      children = branches(root(), 2).count();
      assertThat(children).isGreaterThan(InnerLimits.CHILDREN_MAX / 6);
      delete(number++);
    }
    assertThat(children).isEqualTo(InnerLimits.CHILDREN_MAX / 6 + 1);
    assertThat(root().count()).isEqualTo(3);
    assertThat(branches(root(), 2).count()).isEqualTo(children - 1 + last);
    assertThat(branches(root(), 0).count()).isEqualTo(InnerLimits.CHILDREN_MAX);
    assertThat(branches(root(), 1).count()).isEqualTo(InnerLimits.CHILDREN_MAX);
  }

  /// The neighbour before it takes the last.
  @Test
  void theLastInnerNodeIsMergedWithTheOneBeforeIt() {
    int count = fillInnerNodes();
    int last = firstKey(3);
    for (int number = firstKey(2); branches(root(), 2).count() > 100; number++) {
      delete(number);
    }
    for (int number = count - 1; number >= last && root().count() == 4; number--) {
      delete(number);
    }
    assertThat(root().count()).isEqualTo(3);
    assertThat(branches(root(), 2).count()).isEqualTo(100 + InnerLimits.CHILDREN_MAX / 6);
  }

  /// The number of the first key below a child of the root.
  private int firstKey(int slot) {
    Leaf leaf = (Leaf) branches(root(), slot).child(0);
    String key = new String(LeafPage.key(leaf.page(), 0), ISO_8859_1);
    return Integer.parseInt(key.substring(3));
  }
}
