package io.varve.internal.txn;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Where a cursor of a transaction is after each move, over entries of the space, of the
/// transaction, and of both.
class OverlayCursorTest {
  private final Store store = Store.inMemory();
  private final Space space = store.space("s");
  private final Transaction transaction = store.begin();
  private Cursor cursor;

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /// The space has b, d, e, g, i; the transaction puts c, d, h, and deletes a, b, e and g.
  @BeforeEach
  void write() {
    for (String key : List.of("b", "d", "e", "g", "i")) {
      space.put(bytes(key), bytes(key + " of the space"));
    }
    for (String key : List.of("c", "d", "h")) {
      transaction.put(space, bytes(key), bytes(key + " of its own"));
    }
    for (String key : List.of("a", "b", "e", "g")) {
      transaction.delete(space, bytes(key));
    }
    cursor = transaction.cursor(space, Range.all());
  }

  @AfterEach
  void close() {
    cursor.close();
    transaction.close();
    store.verify().requireSound();
    store.close();
  }

  private void requireOwn(String key) throws IOException {
    requireAt(key, key + " of its own");
  }

  private void requireAt(String key, String value) throws IOException {
    assertThat(cursor.key()).isEqualTo(bytes(key));
    assertThat(cursor.value()).isEqualTo(bytes(value));
    assertThat(cursor.valueLength()).isEqualTo(value.length());
    assertThat(cursor.valueSegment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes(value));
    assertThat(cursor.valueStream().readAllBytes()).isEqualTo(bytes(value));
    byte[] target = new byte[2];
    assertThat(cursor.readKey(target)).isEqualTo(1);
    assertThat(target).isEqualTo(new byte[] {(byte) key.charAt(0), 0});
    assertThat(cursor.readValue(target)).isEqualTo(value.length());
    assertThat(target).isEqualTo(bytes(value.substring(0, 2)));
    byte[] longer = new byte[value.length() + 1];
    assertThat(cursor.readValue(longer)).isEqualTo(value.length());
    assertThat(new String(longer, ISO_8859_1)).isEqualTo(value + "\0");
  }

  private void requireNowhere() {
    assertThatThrownBy(cursor::key)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stands on no entry");
    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void forward() throws IOException {
    requireNowhere();
    assertThat(cursor.next()).isTrue();
    requireOwn("c");
    assertThat(cursor.next()).isTrue();
    requireOwn("d");
    assertThat(cursor.next()).isTrue();
    requireOwn("h");
    assertThat(cursor.next()).isTrue();
    requireAt("i", "i of the space");
    assertThat(cursor.next()).isFalse();
    requireNowhere();
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.previous()).isTrue();
    requireAt("i", "i of the space");
  }

  @Test
  void backward() throws IOException {
    assertThat(cursor.previous()).as("before the first").isFalse();
    assertThat(cursor.last()).isTrue();
    requireAt("i", "i of the space");
    assertThat(cursor.previous()).isTrue();
    requireOwn("h");
    assertThat(cursor.previous()).isTrue();
    requireOwn("d");
    assertThat(cursor.previous()).isTrue();
    requireOwn("c");
    assertThat(cursor.previous()).isFalse();
    requireNowhere();
    assertThat(cursor.previous()).isFalse();
    assertThat(cursor.next()).isTrue();
    requireOwn("c");
  }

  @Test
  void toAndFro() throws IOException {
    assertThat(cursor.first()).isTrue();
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.previous()).isTrue();
    requireOwn("c");
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.previous()).isTrue();
    requireOwn("d");
  }

  @Test
  void seeks() throws IOException {
    assertThat(cursor.seek(bytes("a"))).isTrue();
    requireOwn("c");
    assertThat(cursor.seek(bytes("d"))).isTrue();
    requireOwn("d");
    assertThat(cursor.seek(bytes("e"))).isTrue();
    requireOwn("h");
    assertThat(cursor.seek(bytes("h0"))).isTrue();
    requireAt("i", "i of the space");
    assertThat(cursor.seek(bytes("j"))).isFalse();
    requireNowhere();
    assertThat(cursor.seekFloor(bytes("j"))).isTrue();
    requireAt("i", "i of the space");
    assertThat(cursor.seekFloor(bytes("g"))).isTrue();
    requireOwn("d");
    assertThat(cursor.seekFloor(bytes("d"))).isTrue();
    requireOwn("d");
    assertThat(cursor.seekFloor(bytes("b"))).isFalse();
    requireNowhere();
  }

  @Test
  void whatAllIsDeletedOfHasNoEntry() {
    for (String key : List.of("c", "d", "h", "i")) {
      transaction.delete(space, bytes(key));
    }
    try (Cursor empty = transaction.cursor(space, Range.all())) {
      assertThat(empty.first()).isFalse();
      assertThat(empty.last()).isFalse();
      assertThat(empty.seek(bytes("a"))).isFalse();
      assertThat(empty.seekFloor(bytes("z"))).isFalse();
    }
  }

  /// The copies that a cursor gives are the caller's.
  @Test
  void copiesAreTheCallers() throws IOException {
    assertThat(cursor.first()).isTrue();
    cursor.key()[0] = 'x';
    cursor.value()[0] = 'x';
    assertThat(cursor.valueSegment().isReadOnly()).isTrue();
    requireOwn("c");
  }

  /// What is written while a cursor is open is not found by it, in either direction.
  @Test
  void laterWritesOfTheTransactionAreNotSeen() throws IOException {
    for (String key : List.of("bb", "d", "ee", "j")) {
      transaction.put(space, bytes(key), bytes(key + " of later"));
    }
    transaction.delete(space, bytes("c"));
    transaction.delete(space, bytes("i"));
    transaction.put(space, bytes("g"), bytes("g of later"));
    assertThat(cursor.next()).isTrue();
    requireOwn("c");
    assertThat(cursor.next()).isTrue();
    requireOwn("d");
    transaction.put(space, bytes("f"), bytes("f of later"));
    assertThat(cursor.next()).isTrue();
    requireOwn("h");
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.key()).isEqualTo(bytes("i"));
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.previous()).isTrue();
    assertThat(cursor.key()).isEqualTo(bytes("i"));
    transaction.put(space, bytes("hh"), bytes("hh of later"));
    assertThat(cursor.previous()).isTrue();
    requireOwn("h");
    assertThat(cursor.previous()).isTrue();
    requireOwn("d");
    assertThat(cursor.next()).isTrue();
    requireOwn("h");
    assertThat(cursor.seek(bytes("e"))).isTrue();
    requireOwn("h");
    assertThat(cursor.seekFloor(bytes("g"))).isTrue();
    requireOwn("d");
    try (Cursor now = transaction.cursor(space, Range.all())) {
      assertThat(now.next()).isTrue();
      assertThat(now.key()).isEqualTo(bytes("bb"));
    }
  }

  /// A point shows the writes before it to what is opened by it later too.
  @Test
  void aPointShowsTheWritesBeforeItAlone() {
    TransactionPoint point = transaction.point();
    transaction.put(space, bytes("bb"), bytes("later"));
    transaction.put(space, bytes("c"), bytes("later"));
    transaction.put(space, bytes("c"), bytes("later still"));
    transaction.delete(space, bytes("d"));
    assertThat(point.get(space, bytes("bb"))).isNull();
    assertThat(point.get(space, bytes("c"))).isNotNull().isNotEqualTo(bytes("later still"));
    assertThat(point.get(space, bytes("c"))).isNotEqualTo(bytes("later"));
    assertThat(point.get(space, bytes("d"))).isNotNull();
    assertThat(point.get(space, bytes("h"))).isEqualTo(transaction.get(space, bytes("h")));
    for (String key : List.of("bb", "c", "d")) {
      assertThat(point.isWritten(space, bytes(key))).as(key).isTrue();
      assertThat(transaction.point().isWritten(space, bytes(key))).as(key).isFalse();
    }
    assertThat(point.isWritten(space, bytes("h"))).isFalse();
    try (Cursor then = point.cursor(space, Range.all())) {
      while (then.next()) {
        assertThat(then.key()).isNotEqualTo(bytes("bb"));
        assertThat(then.value()).isEqualTo(point.get(space, then.key()));
      }
    }
  }
}
