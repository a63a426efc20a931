package io.varve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordsTest {
  private static final int VALUE_BYTES = 20;

  @ParameterizedTest
  @EnumSource(KeyOrder.class)
  void keysTellTheirRecord(KeyOrder order) {
    byte[] key = new byte[16];
    for (long record = 0; record < 1_000; record++) {
      order.key(record, key);
      assertThat(order.record(key)).isEqualTo(record);
      key[3] ^= 1;
      assertThat(order.record(key)).isEqualTo(KeyOrder.NO_RECORD);
    }
  }

  @Test
  void presentCoversAcknowledgedInsertsWithoutGaps() {
    var records = new Records(KeyOrder.HASHED, VALUE_BYTES, 10);
    long first = records.reserve();
    long second = records.reserve();
    records.inserted(second);
    assertThat(records.present()).isZero();
    records.inserted(first);
    assertThat(records.present()).isEqualTo(2);
  }

  @Test
  void oldAndFutureVersionsAreFound() {
    var records = new Records(KeyOrder.HASHED, VALUE_BYTES, 10);
    records.loaded(10);
    byte[] value = new byte[VALUE_BYTES];
    Values.fill(value, 4, 1);
    assertThatThrownBy(() -> records.check(4, value, VALUE_BYTES))
        .isInstanceOf(WrongAnswerException.class);
    records.nextVersion(4);
    records.checkNewest(4, value, VALUE_BYTES);
    records.nextVersion(4);
    assertThatCode(() -> records.check(4, value, VALUE_BYTES)).doesNotThrowAnyException();
    assertThatThrownBy(() -> records.checkNewest(4, value, VALUE_BYTES))
        .isInstanceOf(WrongAnswerException.class);
  }
}
