package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RingLapTest {
  private static final int BYTES = 8;

  /// (RING-1) Guards against two bytes of the log at one place of the ring: of all that may be in
  /// it together, each has its own, and keeps it while the ring doubles.
  @Test
  void noTwoBytesOfTheLogShareAPlace() {
    for (long seed = 0; seed < 500; seed++) {
      String run = "seed " + seed;
      var random = new SplittableRandom(seed);
      RingLap lap = RingLap.of(BYTES);
      long released = random.nextInt(3) * 16L * BYTES;
      long tail = released;
      var places = new HashMap<Long, Long>();
      while (lap.bytes() < 16 * BYTES) {
        if (random.nextInt(10) == 0) {
          lap = lap.after(released);
          lap = lap.isDoubling() ? lap : lap.doubledAt(lap.endAfter(released));
        }
        long end = lap.endAfter(released);
        for (long more = random.nextLong(end - tail + 1); more > 0; more--) {
          places.put(tail++, -1L);
        }
        RingLap now = lap;
        places.replaceAll((lsn, before) -> {
          long place = lsn & (now.bytesAt(lsn) - 1);
          assertThat(place).as(run).isLessThan(2L * now.bytes());
          assertThat(before).as(run).isIn(-1L, place);
          return place;
        });
        assertThat(places.values()).as(run).doesNotHaveDuplicates();
        for (long less = random.nextLong(tail - released + 1); less > 0; less--) {
          places.remove(released++);
        }
      }
    }
  }
}
