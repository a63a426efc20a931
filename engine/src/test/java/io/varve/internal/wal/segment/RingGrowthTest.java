package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.HookedDisk.Call;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When the ring is made longer, among the other work of the thread that does it.
@Timeout(60)
class RingGrowthTest {
  private static final int RING = SmallLog.RING;
  private static final LogSettings OPTIONS = SmallLog.GROWING;

  private final HookedDisk disk = new HookedDisk();
  private final Tail tail = new Tail(RING, FrameHeader.BODY, OPTIONS.logBytesMax(), 0, 0);
  private final Failure failure = new Failure(tail::close);

  /// A commit that waits for log waits for nothing that it does not need: the ring is made longer
  /// after that, without being asked for again.
  @Test
  void logThatACommitWaitsForIsMadeReadyFirst() throws IOException {
    var segments = new Segments(disk, OPTIONS, SmallLog.generation(0), 1, null, List.of());
    Ring ring = Ring.create(disk, OPTIONS, 0, segments);
    var allocator = new SegmentAllocator(segments, tail, failure, () -> {}, OPTIONS, ring);
    var preparedAtGrowth = new ConcurrentLinkedQueue<Long>();
    disk.hook((call, name, _) -> {
      if (call == Call.OPEN && name.equals(LogFiles.RING)) {
        preparedAtGrowth.add(segments.preparedLsn());
      }
    });
    long wanted = OPTIONS.segmentBytes() + RING;
    allocator.ringFilled();
    allocator.request(wanted);
    allocator.start();
    while (preparedAtGrowth.isEmpty()) {
      Thread.onSpinWait();
    }
    allocator.stop();
    assertThat(preparedAtGrowth).hasSize(1);
    assertThat(preparedAtGrowth.peek()).isGreaterThanOrEqualTo(wanted);
    assertThat(ring.lap().isDoubling()).isTrue();
    assertThat(failure.cause()).isNull();
  }

  /// A disk may have blocks for root alone, which are not counted as usable. There a store that was
  /// killed could not be opened again, though there was capacity for the shortest ring.
  @Test
  void theRingOfASparingLogIsMadeWhereNothingIsCountedAsUsable() throws IOException {
    disk.rootBytes(Long.MAX_VALUE);
    var segments = new Segments(disk, OPTIONS, SmallLog.generation(0), 1, null, List.of());
    assertThatThrownBy(() -> Ring.create(disk, OPTIONS.spareSegmentsMax(1), 0, segments))
        .isInstanceOf(DiskFullException.class);
    Ring ring = Ring.create(disk, OPTIONS.spareSegmentsMax(0), 0, segments);
    assertThat(ring.bytes()).isEqualTo(OPTIONS.termBytes());
  }
}
