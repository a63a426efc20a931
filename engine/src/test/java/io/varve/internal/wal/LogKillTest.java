package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SmallLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LogKillTest {
  private static final LogSettings OPTIONS =
      LogSettings.defaults().ringBytes(1 << 20).segmentBytes(4 << 20).prepareBytes(1 << 20);

  @TempDir Path directory;

  /// Kills a process that commits, without warning, again and again: what it had acknowledged to
  /// any reader of its output is found, and each generation follows the last.
  @Test
  void aKilledProcessLosesNothingAcknowledged() throws Exception {
    List<Long> before = List.of();
    for (int life = 0; life < 4; life++) {
      Process process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Committer.class.getName(),
                  directory.toString(),
                  Long.toString(before.size()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      long acknowledged = 0;
      int heard = 0;
      try (var lines = process.inputReader()) {
        String line;
        while ((line = lines.readLine()) != null) {
          acknowledged = Math.max(acknowledged, Long.parseLong(line));
          if (++heard > 1500) {
            process.toHandle().destroyForcibly(); // leaves the stream readable to its end
          }
        }
      }
      process.waitFor();
      var found = new Commits();
      try (Disk disk = FileDisk.open(directory, false)) {
        LogRecovery.find(disk, OPTIONS, SmallLog.ID, LogPosition.ORIGIN).replay(found);
      }
      List<Long> numbers = found.numbers().stream().sorted().toList();
      assertThat(found.found.getLast().endLsn()).isGreaterThanOrEqualTo(acknowledged);
      assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList());
      assertThat(numbers.size()).isGreaterThan(before.size());
      before = numbers;
    }
  }

  /// Commits from three threads, numbered in commit order, and prints each commit LSN when it is
  /// acknowledged.
  static final class Committer {
    private static final Object ORDER = new Object();

    public static void main(String[] arguments) {
      Disk disk = FileDisk.open(Path.of(arguments[0]), true);
      LogRecovery recovery = LogRecovery.find(disk, OPTIONS, SmallLog.ID, LogPosition.ORIGIN);
      recovery.replay((_, _, _) -> {});
      Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN);
      var number = new AtomicLong(Long.parseLong(arguments[1]));
      for (int t = 0; t < 3; t++) {
        Durability durability = t == 0 ? Durability.POWER_LOSS : Durability.PROCESS_CRASH;
        Thread.ofPlatform()
            .start(() -> {
              while (true) {
                long lsn;
                synchronized (ORDER) {
                  lsn = Commits.append(log, number.incrementAndGet(), 200);
                }
                log.await(lsn, durability);
                synchronized (System.out) {
                  System.out.println(lsn);
                }
              }
            });
      }
    }
  }
}
