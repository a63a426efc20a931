package io.varve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15, 16, 100})
  void everyFlippedBitIsFound(int length) {
    byte[] value = new byte[length];
    for (int bit = 0; bit < length * 8; bit++) {
      Values.fill(value, 7, 3);
      assertThat(Values.check(value, length, 7)).isEqualTo(3);
      value[bit / 8] ^= (byte) (1 << (bit % 8));
      if (bit >= 64) {
        assertThatThrownBy(() -> Values.check(value, length, 7))
            .isInstanceOf(WrongAnswerException.class);
      } else if (length > Long.BYTES) {
        // The version itself is wrong: the filling does not fit it.
        assertThatThrownBy(() -> Values.check(value, length, 7))
            .isInstanceOf(WrongAnswerException.class);
      }
    }
  }

  @Test
  void valueOfAnotherRecordIsFound() {
    byte[] value = new byte[100];
    Values.fill(value, 7, 3);
    assertThatThrownBy(() -> Values.check(value, value.length, 8))
        .isInstanceOf(WrongAnswerException.class);
  }
}
