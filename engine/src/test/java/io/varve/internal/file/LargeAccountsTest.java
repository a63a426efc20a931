package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/// The accounts of large values when memory is lacking.
class LargeAccountsTest {
  private static final int EXTENTS = 5;

  /// A change that broke off was entered from its start the next time: its first extents twice.
  /// Those of a value that went would be freed twice, and given to two values.
  @Test
  void aChangeThatBrokeOffContinuesWhereItDid() {
    List<Long> entered = new ArrayList<>();
    LongConsumer entry =
        new LongConsumer() {
          private int calls;

          @Override
          public void accept(long extent) {
            calls++;
            if (calls % 3 == 0) {
              throw new OutOfMemoryError("by a test");
            }
            entered.add(extent);
          }
        };
    var change =
        new LargeAccounts.Change(
            extents -> {
              for (long extent = 1; extent <= EXTENTS; extent++) {
                extents.accept(extent);
              }
            },
            entry,
            0);
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(change::enter);
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(change::enter);
    change.enter();
    assertThat(entered).containsExactly(1L, 2L, 3L, 4L, 5L);
  }
}
