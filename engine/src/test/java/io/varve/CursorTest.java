package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What a cursor does that is asked where there is no entry, after its end, or for a short array.
class CursorTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[] VALUE = {4, 5, 6, 7};

  private static final List<Consumer<Cursor>> READS =
      List.of(
          Cursor::key,
          Cursor::value,
          cursor -> cursor.readKey(new byte[8]),
          cursor -> cursor.readValue(new byte[8]),
          Cursor::valueLength,
          Cursor::valueSegment,
          Cursor::valueStream);

  private static final List<Consumer<Cursor>> MOVES =
      List.of(
          Cursor::first,
          Cursor::last,
          Cursor::next,
          Cursor::previous,
          cursor -> cursor.seek(KEY),
          cursor -> cursor.seekFloor(KEY));

  @Test
  void readsNothingWhereThereIsNoEntry() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, VALUE);
      try (Cursor cursor = space.cursor(Range.all())) {
        assertReadsNothing(cursor); // before the first move
        assertThat(cursor.first()).isTrue();
        assertThat(cursor.next()).isFalse();
        assertReadsNothing(cursor);
        assertThat(cursor.previous()).isTrue();
        assertThat(cursor.key()).isEqualTo(KEY);
        assertThat(cursor.previous()).isFalse();
        assertReadsNothing(cursor);
      }
    }
  }

  private static void assertReadsNothing(Cursor cursor) {
    for (Consumer<Cursor> read : READS) {
      assertThatIllegalStateException()
          .isThrownBy(() -> read.accept(cursor))
          .withMessageContaining("stands on no entry");
    }
  }

  @Test
  void doesNothingAfterItsClose() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, VALUE);
      Cursor cursor = space.cursor(Range.all());
      assertThat(cursor.first()).isTrue();
      cursor.close();
      cursor.close();
      for (List<Consumer<Cursor>> calls : List.of(READS, MOVES)) {
        for (Consumer<Cursor> call : calls) {
          assertThatExceptionOfType(StoreClosedException.class)
              .isThrownBy(() -> call.accept(cursor));
        }
      }
    }
  }

  @Test
  void fillsAnArrayAsFarAsItGoesAndReturnsTheLength() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, VALUE);
      try (Cursor cursor = space.cursor(Range.all())) {
        assertThat(cursor.first()).isTrue();
        byte[] key = new byte[2];
        assertThat(cursor.readKey(key)).isEqualTo(3);
        assertThat(key).containsExactly(1, 2);
        byte[] value = new byte[6];
        assertThat(cursor.readValue(value)).isEqualTo(4);
        assertThat(value).containsExactly(4, 5, 6, 7, 0, 0);
        assertThat(cursor.valueLength()).isEqualTo(4);
      }
    }
  }
}
