package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.io.IOException;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What was found without the lock counts only if it is so still (APPROACH-1): other changes come
/// between the search and the lock here.
class ApproachTest {
  private static final int KEYS = 1_000;
  private static final int KEY = 500;
  private static final byte[] VALUE = new byte[100];
  private static final byte[] MARKED = "marked".getBytes(ISO_8859_1);

  private final MemoryPages memory = MemoryPages.open();
  private final Pages pages = memory.pages();
  private final Epochs epochs = memory.epochs(1);
  private final Tree tree = Tree.empty(pages, Clock.SYSTEM, 1);
  private final TreeWriter writer = new TreeWriter(tree, epochs);
  private final NeededPages needed = new NeededPages();

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private static byte[] key(int number) {
    return "key%08d".formatted(number).getBytes(ISO_8859_1);
  }

  private void put(int number, byte[] value) {
    byte[] key = key(number);
    assertThat(writer.preparePut(key, value.length, epochs.current(), needed)).isTrue();
    writer.put(key, value, value.length, epochs.current());
  }

  private void delete(int number) {
    assertThat(writer.prepareDelete(key(number), epochs.current(), needed)).isTrue();
    writer.delete(epochs.current());
  }

  /// Puts the even numbers, which leaves no path that ends where the one before it did.
  private void fill() {
    for (int i = 0; i < KEYS; i++) {
      put(i * 7919 % KEYS * 2, VALUE);
    }
    assertThat(tree.root()).isInstanceOf(Inner.class);
  }

  private Leaf leafOf(byte[] key) {
    Node node = tree.root();
    while (node instanceof Inner inner) {
      node = inner.branches().child(inner.branches().find(key));
    }
    return (Leaf) node;
  }

  /// Puts a marked value by an approach, with `between` after the search.
  private void putAfter(int number, Runnable between) {
    byte[] key = key(number);
    Approach approach = writer.approach(key, true, needed);
    assertThat(approach).isNotNull();
    between.run();
    writer.follow(approach);
    assertThat(writer.preparePut(key, MARKED.length, epochs.current(), needed)).isTrue();
    writer.put(key, MARKED, MARKED.length, epochs.current());
  }

  /// Checks that the tree holds the even numbers except one, and one that is marked.
  private void requireEntries(int marked, int deleted) {
    for (int i = 0; i < 2 * KEYS; i++) {
      byte[] expected = i == marked ? MARKED : i % 2 == 0 && i != deleted ? VALUE : null;
      assertThat(tree.get(null, key(i))).as("key %d", i).isEqualTo(expected);
    }
  }

  @Test
  void whatStandsIsFollowed() {
    fill();
    byte[] key = key(KEY);
    Approach approach = writer.approach(key, true, needed);
    Leaf leaf = leafOf(key);
    assertThat(approach.leadsTo(key)).isTrue();
    assertThat(approach.path().leaf()).isSameAs(leaf);
    assertThat(approach.index()).isEqualTo(LeafPage.find(leaf.page(), key));
    assertThat(approach.leadsTo(key(KEY))).as("by the key of another change").isFalse();
    putAfter(KEY, () -> {});
    requireEntries(KEY, -1);
  }

  /// The page is the same, but the index of the key is another.
  @ParameterizedTest
  @ValueSource(ints = {KEY, KEY + 1})
  void aPlaceInThePageIsLookedForAgain(int number) {
    fill();
    putAfter(number, () -> delete(KEY - 2));
    requireEntries(number, KEY - 2);
  }

  /// A key that was there is not any more.
  @Test
  void anEntryThatIsGoneIsInserted() {
    fill();
    putAfter(KEY, () -> delete(KEY));
    requireEntries(KEY, -1);
  }

  /// The leaf was split, which makes other leaves and other branches.
  @ParameterizedTest
  @ValueSource(ints = {-20, 20})
  void aLeafThatWasSplitIsLookedForAgain(int distance) {
    fill();
    Leaf before = leafOf(key(KEY));
    IntConsumer grow = i -> put(KEY + distance + i, new byte[250]);
    putAfter(
        KEY,
        () -> {
          for (int i = 0; leafOf(key(KEY)) == before; i++) {
            grow.accept(i * 2 * Integer.signum(-distance));
          }
        });
    assertThat(tree.get(null, key(KEY))).isEqualTo(MARKED);
    assertThat(tree.get(null, key(KEY + 2))).isNotNull();
    assertThat(tree.get(null, key(KEY - 2))).isNotNull();
  }

  /// All of the tree but one entry is gone, and with it its inner nodes.
  @Test
  void aTreeThatShrankIsSearchedAgain() {
    fill();
    putAfter(
        KEY,
        () -> {
          for (int i = 0; i < KEYS; i++) {
            delete(2 * i);
          }
        });
    assertThat(tree.get(null, key(KEY))).isEqualTo(MARKED);
    assertThat(LeafPage.count(((Leaf) tree.root()).page())).isEqualTo(1);
  }

  /// The copy for a new epoch was made before, and another change has made one since.
  @ParameterizedTest
  @ValueSource(ints = {KEY - 2, KEY})
  void aCopyOfALeafThatWasCopiedIsNotUsed(int other) {
    fill();
    epochs.close();
    putAfter(KEY, () -> delete(other));
    requireEntries(KEY, other);
  }

  /// A closed epoch shows what it did, and the copy the change.
  @Test
  void aPageOfAClosedEpochIsCopied() {
    fill();
    long closed = epochs.close();
    epochs.hold(closed);
    Leaf old = leafOf(key(KEY));
    putAfter(KEY, () -> {});
    requireEntries(KEY, -1);
    assertThat(leafOf(key(KEY))).isNotSameAs(old);
    assertThat(tree.get(tree.rootAt(closed), key(KEY))).isEqualTo(VALUE);
  }

  /// The epoch was closed between the search and the lock.
  @Test
  void anEpochThatClosesBetweenIsSeen() {
    fill();
    epochs.hold(1);
    putAfter(KEY, epochs::close);
    requireEntries(KEY, -1);
    assertThat(tree.get(tree.rootAt(1), key(KEY))).isEqualTo(VALUE);
  }

  @Test
  void aDeleteFollowsWhatStands() {
    fill();
    epochs.close();
    byte[] key = key(KEY);
    Approach approach = writer.approach(key, false, needed);
    writer.follow(approach);
    assertThat(writer.prepareDelete(key, epochs.current(), needed)).isTrue();
    writer.delete(epochs.current());
    requireEntries(-1, KEY);
  }
}
