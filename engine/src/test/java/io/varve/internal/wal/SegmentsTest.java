package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SegmentsTest {
  private static final int RING = LogOptions.RING_BYTES_MIN;

  /// A checkpoint may end while an older commit's force goes from file to file. What it lets go is
  /// durable by other writes, so the force must not take a closed file for a failed disk.
  @Test
  void aForceIsNotBrokenByTheCloseOfWhatWasLetGo() throws Exception {
    var disk = new MemoryDisk();
    LogOptions options =
        LogOptions.defaults().ringBytes(RING).segmentBytes(RING).prepareBytes(RING);
    var segments = new Segments(disk, options, LogTest.ID, 1, 0, 0, 1, null, null, List.of());
    for (int i = 0; i < 4; i++) {
      segments.prepare();
    }
    var first = new AtomicBoolean(true);
    var tidied = new CompletableFuture<Boolean>();
    var tidier = new AtomicReference<Thread>();
    disk.hook((call, _, _) -> {
      if (call == MemoryDisk.Call.FORCE && first.compareAndSet(true, false)) {
        assertThat(segments.release(3L * RING)).isTrue();
        tidier.set(Thread.ofPlatform().start(() -> tidy(segments, tidied)));
        // Goes on when the files are closed, or when their close waits for this force.
        while (!tidied.isDone() && tidier.get().getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
    });
    segments.force(0, 4L * RING);
    assertThat(tidied.get()).isTrue();
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
