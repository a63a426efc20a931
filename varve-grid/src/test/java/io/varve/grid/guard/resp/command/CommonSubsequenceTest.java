package io.varve.grid.guard.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.infinispan.server.resp.response.LCSResponse;
import org.junit.jupiter.api.Test;

class CommonSubsequenceTest {
  private static final int LONG = 1_000_000;

  /// LCS-2: the table had an array for each byte of a long string. That took seven times its
  /// numbers where the other string was empty.
  @Test
  void theTableTakesWhatItsBoundCounts() {
    byte[] longText = new byte[LONG];
    for (byte[] shortText : List.of(new byte[0], new byte[] {0})) {
      long numbers = (LONG + 1L) * (shortText.length + 1L);
      for (boolean isFirst : new boolean[] {true, false}) {
        long before = allocated();
        LCSResponse answer = isFirst ? of(longText, shortText) : of(shortText, longText);
        assertThat(allocated() - before).isLessThan(numbers * Integer.BYTES + LONG);
        assertThat(answer.len).isEqualTo(shortText.length);
      }
    }
  }

  private static LCSResponse of(byte[] first, byte[] second) {
    return CommonSubsequence.of(
        first, second, new CommonSubsequence.Options(true, false, 0, false));
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
