package io.varve.grid.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.blobs.TransferSlots.NoneException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who has a slot for a transfer, and who waits.
@Timeout(60)
class TransferSlotsTest {
  private static final int COUNT = 4;

  @Test
  void slotsAreOfTheHeap() {
    assertThat(TransferSlots.count(64L << 20)).isEqualTo(4);
    assertThat(TransferSlots.count(192L << 20)).isEqualTo(6);
    assertThat(TransferSlots.count(4L << 30)).isEqualTo(128);
  }

  /// SLOTS-2. A hundred slow clients of one machine had all slots, and others had none for half a
  /// minute.
  @Test
  void oneAddressLeavesSlotsToOthers() {
    var slots = new TransferSlots(COUNT, /* waitMillisMax= */ 1);
    for (int slow = 0; slow < COUNT - 1; slow++) {
      slots.take("slow");
    }
    assertThatThrownBy(() -> slots.take("slow")).isInstanceOf(NoneException.class);
    slots.take("other");
    assertThatThrownBy(() -> slots.take("third")).isInstanceOf(NoneException.class);
    slots.free("slow");
    slots.take("third");
    slots.free("other");
    slots.take("slow");
  }

  /// SLOTS-2. What waits first for a slot of its own address lets others pass.
  @Test
  void whatWaitsForItsOwnAddressLetsOthersPass() throws Exception {
    var slots = new TransferSlots(COUNT, TimeUnit.MINUTES.toMillis(1));
    for (int slow = 0; slow < COUNT - 1; slow++) {
      slots.take("slow");
    }
    var waits = CompletableFuture.runAsync(() -> slots.take("slow"));
    slots.take("other");
    slots.free("other");
    assertThat(waits).isNotDone();
    slots.free("slow");
    waits.get(1, TimeUnit.MINUTES);
  }
}
