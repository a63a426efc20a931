package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SegmentsTest {
  private static final int RING = LogSettings.RING_BYTES_MIN;

  /// A checkpoint may end while an older commit's force goes from file to file. What it releases is
  /// durable by other writes, so the force must not take a closed file for a failed disk.
  @Test
  void aForceIsNotBrokenByTheCloseOfWhatWasReleased() throws Exception {
    var disk = new HookedDisk();
    LogSettings options =
        LogSettings.defaults().ringBytes(RING).segmentBytes(RING).prepareBytes(RING);
    var segments = new Segments(disk, options, SmallLog.generation(0), 1, null, List.of());
    for (int i = 0; i < 4; i++) {
      segments.prepare(RING);
    }
    var first = new AtomicBoolean(true);
    var tidied = new CompletableFuture<Boolean>();
    var tidier = new AtomicReference<Thread>();
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.FORCE && first.compareAndSet(true, false)) {
        assertThat(segments.release(3L * RING)).isTrue();
        tidier.set(Thread.ofPlatform().start(() -> tidy(segments, tidied)));
        // Continues when the files are closed, or when their close waits for this force.
        while (!tidied.isDone() && tidier.get().getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
    });
    segments.force(0, 4L * RING);
    assertThat(tidied.get()).isTrue();
    segments.close();
  }

  /// A store into memory must never find the disk full, so a term counts when all of it is on disk;
  /// and a part of one must not keep what capacity there is.
  @Test
  void aMappedTermIsReadyAsAWholeOrNotAtAll() throws IOException {
    var disk = new HookedDisk();
    int term = 4 * RING;
    LogSettings options =
        SmallLog.OPTIONS
            .ringBytes(term)
            .segmentBytes(2L * term)
            .mode(new LogMode(LogIo.MAPPED, new CommitGrouping.Adaptive(), CommitWait.PARK, null));
    var mapped = new MappedSegments(term, 1);
    var segments = new Segments(disk, options, SmallLog.generation(0), 1, mapped, List.of());
    segments.prepare(RING);
    assertThat(segments.preparedLsn()).isEqualTo(term);
    long whole = disk.usedBytes();
    disk.capacityBytes(whole + term / 2);
    assertThatThrownBy(() -> segments.prepare(RING)).isInstanceOf(DiskFullException.class);
    assertThat(segments.preparedLsn()).isEqualTo(term);
    assertThat(disk.usedBytes()).isEqualTo(whole);
    disk.capacityBytes(whole + term);
    segments.prepare(RING);
    assertThat(segments.preparedLsn()).isEqualTo(2L * term);
    assertThat(mapped.lengthAt(2L * term - 64)).isZero();
    segments.close();
  }

  /// Spares wait for commits that come as those before did; without any they are returned.
  @Test
  void asManySparesStayAsSegmentsWereBegunSinceTheReleaseBefore() throws IOException {
    var disk = new HookedDisk();
    LogSettings options =
        LogSettings.defaults().ringBytes(RING).segmentBytes(RING).prepareBytes(RING);
    var segments = new Segments(disk, options, SmallLog.generation(0), 1, null, List.of());
    for (int i = 0; i < 8; i++) {
      segments.prepare(RING);
    }
    segments.release(3L * RING);
    segments.tidy();
    assertThat(disk.list(LogFiles.DIRECTORY)).hasSize(8);
    segments.prepare(RING); // takes one of the spares
    segments.release(5L * RING);
    segments.tidy();
    assertThat(disk.list(LogFiles.DIRECTORY)).hasSize(4 + 1);
    segments.wantNoSpares();
    segments.tidy();
    assertThat(disk.list(LogFiles.DIRECTORY)).hasSize(4);
    segments.close();
  }

  private static void tidy(Segments segments, CompletableFuture<Boolean> tidied) {
    try {
      segments.tidy();
      tidied.complete(true);
    } catch (IOException e) {
      tidied.completeExceptionally(e);
    }
  }
}
