package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.segment.SmallLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A file system lists the segments of a log in any order.
class UnsortedDirectoryTest {
  private static final int COMMITS = 12;

  private static Disk listingBackwards(HookedDisk disk) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (_, method, arguments) -> {
              try {
                Object answer = method.invoke(disk, arguments);
                return answer instanceof List<?> names ? names.reversed() : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aLogOfSeveralSegmentsAndGenerationsIsReplayedInItsOrder() {
    var disk = new HookedDisk();
    List<Long> expected = new ArrayList<>();
    for (int opened = 0; opened < 2; opened++) {
      LogRecovery recovery =
          LogRecovery.find(disk, SmallLog.OPTIONS, SmallLog.ID, LogPosition.ORIGIN);
      recovery.replay(new Commits());
      try (Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN)) {
        for (int i = 0; i < COMMITS; i++) {
          long number = expected.size() + 1L;
          Commits.commit(log, number, SmallLog.RING / 2, Durability.POWER_LOSS);
          expected.add(number);
        }
      }
    }
    assertThat(disk.list("log")).hasSizeGreaterThan(3);
    var found = new Commits();
    LogRecovery.find(listingBackwards(disk), SmallLog.OPTIONS, SmallLog.ID, LogPosition.ORIGIN)
        .replay(found);
    assertThat(found.numbers()).isEqualTo(expected);
  }
}
