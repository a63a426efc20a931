package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.LogIo;
import io.varve.Range;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import java.io.FileNotFoundException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A store that is killed before its first checkpoint, again and again, keeps its log within the
/// bound that the guides give: each open began a segment of its own, and none was released.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashLoopTest {
  private static final int CRASHES = 200;
  private static final int SPARE_SEGMENTS_MAX = 4;

  /// Of some 200 entries, in the states of three checkpoints.
  private static final long PAGE_FILE_BYTES_MAX = 256 << 10;

  private static StoreOptions options(LogIo io, int segmentBytes) {
    return Stores.tiny()
        .durability(Durability.POWER_LOSS)
        .log(log -> log.io(io).segmentBytes(segmentBytes))
        .checkpointInterval(Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource({"DIRECT, 262144, false", "DIRECT, 1048576, true", "MAPPED, 1048576, true"})
  void theLogOfACrashLoopIsBounded(LogIo io, int segmentBytes, boolean puts)
      throws FileNotFoundException {
    StoreOptions options = options(io, segmentBytes);
    // As TUNING.md has it, with the header of each segment.
    long bytesMax =
        options.log().bytesMax()
            + (1 + SPARE_SEGMENTS_MAX + 1) * (long) (segmentBytes + 4096)
            + options.log().bufferBytes();
    SimulatedDisk disk = new SimulatedDisk(1);
    int stored = 0;
    for (int i = 0; i < CRASHES; i++) {
      Store store = SimulatedStore.open(disk, options);
      assertThat(store.space("s").count(Range.all())).isEqualTo(stored);
      if (puts) {
        store.space("s").put(Bytes.of(i), Bytes.of(i));
        stored++;
      }
      SimulatedDisk crashed = disk.processCrash();
      closeDead(store);
      disk = crashed;
      assertThat(bytes(disk, "log/")).as("after crash " + i).isLessThanOrEqualTo(bytesMax);
      assertThat(bytes(disk, "pages")).as("after crash " + i).isLessThan(PAGE_FILE_BYTES_MAX);
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      for (int i = 0; i < stored; i++) {
        assertThat(store.space("s").get(Bytes.of(i))).isEqualTo(Bytes.of(i));
      }
      store.verify().requireSound();
    }
  }

  private static long bytes(SimulatedDisk disk, String prefix) throws FileNotFoundException {
    long bytes = 0;
    for (String name : disk.fileNames()) {
      if (name.startsWith(prefix)) {
        bytes += disk.content(name).length;
      }
    }
    return bytes;
  }

  private static void closeDead(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      // its disk is off
    }
  }
}
