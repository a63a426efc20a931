package io.varve.internal.txn;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.internal.cache.Pages;
import io.varve.internal.page.LeafPage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a transaction writes to a space: the order, the last of each key, and what it counts for.
class SpaceWritesTest {
  private final Store store = Store.inMemory();
  private final LiveSpace live = (LiveSpace) store.space("s");
  private final SpaceCore space = live.core();
  private final Pages pages = space.tree().pages();
  private final SpaceWrites writes = new SpaceWrites(space, null);

  @AfterEach
  void close() {
    store.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private List<String> sorted() {
    writes.sort();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      byte[] value = writes.value(i);
      String text = value == null ? "deleted" : new String(value, ISO_8859_1);
      assertThat(writes.tag(i)).isEqualTo(value == null ? 0 : value.length);
      texts.add(new String(writes.key(i), ISO_8859_1) + "=" + text);
    }
    return texts;
  }

  @Test
  void ascendingWritesStayAsTheyAre() {
    writes.put(bytes("a"), bytes("1"));
    writes.delete(bytes("b"));
    writes.put(bytes("c"), bytes("23"));
    assertThat(sorted()).containsExactly("a=1", "b=deleted", "c=23");
  }

  @Test
  void ofEachKeyTheLastWriteCounts() {
    writes.put(bytes("b"), bytes("1"));
    writes.put(bytes("a"), bytes("2"));
    writes.delete(bytes("b"));
    writes.put(bytes("a"), bytes("3"));
    writes.put(bytes("a"), bytes("45"));
    assertThat(sorted()).containsExactly("a=45", "b=deleted");
  }

  /// Two writes of one key next to each other are in no ascending order.
  @Test
  void theSameKeyTwiceIsOneWrite() {
    writes.put(bytes("a"), bytes("1"));
    writes.put(bytes("a"), bytes("2"));
    assertThat(sorted()).containsExactly("a=2");
  }

  @Test
  void manyWritesGrowTheArrays() {
    for (int i = 0; i < 100; i++) {
      writes.put(bytes("%03d".formatted(99 - i)), bytes("" + i));
    }
    assertThat(sorted()).hasSize(100).startsWith("000=99", "001=98").endsWith("099=0");
    assertThat(writes.index()).hasSize(100);
  }

  @Test
  void theIndexFollowsLaterWrites() {
    writes.put(bytes("a"), bytes("1"));
    assertThat(writes.index().get(bytes("a")).value().stored().bytes()).isEqualTo(bytes("1"));
    writes.put(bytes("a"), bytes("2"));
    assertThat(writes.index().get(bytes("a")).value().stored().bytes()).isEqualTo(bytes("2"));
    writes.delete(bytes("a"));
    assertThat(writes.index()).containsKey(bytes("a"));
    assertThat(writes.index().get(bytes("a")).value()).isNull();
  }

  @Test
  void deletesAloneDoNotGrow() {
    writes.delete(bytes("a"));
    writes.deleteRange(List.of(bytes("b"), bytes("c")));
    writes.sort();
    assertThat(writes.grows()).isFalse();
    writes.put(bytes("d"), bytes("1"));
    writes.sort();
    assertThat(writes.grows()).isTrue();
  }

  /// A put counts for its bytes, twice, and its leaf; deletes of a range for the leaves at its
  /// ends.
  @Test
  void theEstimateCountsLeavesOfWritesAndOfTheEndsOfRanges() {
    store.transact(transaction -> {
      for (int i = 0; i < 2_000; i++) {
        transaction.put(live, bytes("key%05d".formatted(i)), new byte[200]);
      }
    });
    writes.put(bytes("a"), new byte[100]);
    writes.sort();
    long one = 2L * LeafPage.entryBytes(1, 100);
    assertThat(writes.dirtyingBytes()).isEqualTo(one + pages.pageBytes());
    writes.delete(bytes("b"));
    writes.sort();
    assertThat(writes.dirtyingBytes()).isEqualTo(one + 2L * pages.pageBytes());
    writes.deleteRange(List.of(bytes("c"), bytes("d"), bytes("e"), bytes("f")));
    writes.sort();
    assertThat(writes.dirtyingBytes()).isEqualTo(one + 4L * pages.pageBytes());
  }

  /// There are no more leaves to be made dirty than there are.
  @Test
  void theEstimateCountsNoMoreLeavesThanThereAre() {
    live.put(bytes("a"), new byte[10]);
    for (int i = 0; i < 1_000; i++) {
      writes.delete(bytes("key%05d".formatted(i)));
    }
    writes.sort();
    assertThat(pages.cache().dirtyBytes()).isPositive();
    assertThat(writes.dirtyingBytes())
        .isEqualTo(pages.file().extents().endBytes() + pages.cache().dirtyBytes());
  }

  @Test
  void theBodyIsAsLongAsItsRecords() {
    writes.put(bytes("a"), new byte[100]);
    writes.delete(bytes("bc"));
    writes.sort();
    assertThat(writes.bodyBytes())
        .isEqualTo(
            LogRecord.putBytes(space.id(), bytes("a"), new byte[100])
                + LogRecord.deleteBytes(space.id(), bytes("bc")));
  }
}
