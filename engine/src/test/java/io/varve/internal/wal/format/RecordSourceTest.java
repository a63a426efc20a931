package io.varve.internal.wal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.wal.format.RecordSource.Piece;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The body of a commit, wherever its frames cut it, and lengths that a damaged body states.
class RecordSourceTest {
  /// A byte, an int, a long, two varints and an array.
  private static final byte[] BODY = {
    7, 4, 3, 2, -1, 8, 7, 6, 5, 4, 3, 2, -1, -128, 1, 127, 10, 11, 12, 13, 14
  };

  private static RecordSource cut(byte[] body, int pieceBytes) {
    List<Piece> pieces = new ArrayList<>();
    for (int from = 0; from < body.length; from += pieceBytes) {
      pieces.add(new Piece(body, from, Math.min(body.length, from + pieceBytes)));
      pieces.add(new Piece(body, from, from)); // a frame without a byte of it
    }
    return new RecordSource(pieces);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 13, 21, 100})
  void whatIsReadDoesNotDependOnTheFrames(int pieceBytes) {
    RecordSource source = cut(BODY, pieceBytes);
    assertThat(source.length()).isEqualTo(BODY.length);
    assertThat(source.getByte()).isEqualTo((byte) 7);
    assertThat(source.getInt()).isEqualTo(0xff020304);
    assertThat(source.getLong()).isEqualTo(0xff02030405060708L);
    assertThat(source.getVarint()).isEqualTo(128);
    assertThat(source.getVarint()).isEqualTo(127);
    assertThat(source.remaining()).isEqualTo(5);
    source.skip(2);
    assertThat(source.getBytes(3)).containsExactly(12, 13, 14);
    assertThat(source.remaining()).isZero();
    assertThatThrownBy(source::getByte).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /// A length that damage has made must not take the heap.
  @ParameterizedTest
  @ValueSource(ints = {22, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void aLengthPastTheEndIsRefusedBeforeItTakesMemory(int length) {
    RecordSource source = cut(BODY, 8);
    assertThatThrownBy(() -> source.getBytes(length))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContainingAll("wanted=" + length, "remaining=21");
    assertThatThrownBy(() -> source.skip(length)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(source.remaining()).as("nothing was passed").isEqualTo(21);
    assertThat(source.getBytes(21)).isEqualTo(BODY);
  }

  @Test
  void aVarintOfElevenBytesIsRefused() {
    byte[] longest = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    assertThat(cut(longest, 4).getVarint()).isEqualTo(-1L);
    byte[] longer = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    assertThatThrownBy(() -> cut(longer, 4).getVarint())
        .isInstanceOf(IndexOutOfBoundsException.class);
    byte[] unfinished = {-1, -1};
    assertThatThrownBy(() -> cut(unfinished, 4).getVarint())
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
