package io.varve.grid.guard.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// CONNECTION-5: connections that take no replies leave something to those that do.
class OccupancyTest {
  private final Limits limits =
      new Limits(
          Set.of(),
          1 << 20,
          100,
          100,
          0,
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ZERO);
  private final Occupancy occupancy = new Occupancy(limits);

  @Test
  void aConnectionMayHaveALongReplyWhileOthersHaveNone() {
    long bytes = limits.replyBytesMax();
    assertThat(occupancy.holdReply(bytes, 0)).isTrue();
    assertThat(occupancy.holdReply(1, bytes)).isFalse();
    occupancy.releaseReply(bytes);
    assertThat(occupancy.holdReply(bytes, 0)).as("what was refused is not counted").isTrue();
  }

  @Test
  void tenThatTakeNothingLeaveRepliesOfOneMegabyteToOthers() {
    for (int stalled = 0; stalled < 10; stalled++) {
      for (long own = 0, piece = limits.replyBytesMax(); piece > 0; piece /= 2) {
        own += occupancy.holdReply(piece, own) ? piece : 0;
      }
    }
    assertThat(occupancy.holdReply(1 << 20, 0)).isTrue();
  }
}
