package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import io.varve.Durability;
import io.varve.StoreIoException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.HookedDisk.Call;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.segment.LogSettings;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A long log is made durable by a thread of its own, while what was read of it is applied.
@Timeout(60)
class LogSettlingTest {
  private static final LogSettings SMALL = TestLogs.SMALL;
  private static final int COMMITS = 40;

  private Thread recovering;

  /// A disk with a log that no mark vouches for, longer than the ring of [#SMALL], after the death
  /// of its process.
  private static HookedDisk withLongLog() {
    return withLog(Durability.PROCESS_CRASH);
  }

  private static HookedDisk withLog(Durability durability) {
    var disk = new HookedDisk();
    LogSettings settings =
        SMALL.ringBytes(4 * SMALL.ringBytes()).flushIntervalNanos(TimeUnit.HOURS.toNanos(1));
    try (Log log = TestLogs.create(disk, settings)) {
      for (int i = 1; i <= COMMITS; i++) {
        Commits.commit(log, i, 3000, durability);
      }
      return disk.afterProcessCrash();
    }
  }

  /// What each commit waited for to be durable, and a mark states, was written a second time by
  /// each open: as much as the log is long.
  @Test
  void whatMarksVouchForIsNotWrittenAgain() {
    HookedDisk disk = withLog(Durability.POWER_LOSS);
    LogRecovery recovery = find(disk);
    Queue<Long> written = new ConcurrentLinkedQueue<>();
    disk.hook((call, _, position) -> {
      if (call == Call.WRITE && position > 0) {
        written.add(position);
      }
    });
    Commits commits = new Commits();
    recovery.replay(commits);
    assertThat(commits.numbers()).hasSize(COMMITS);
    assertThat(written).as("the last batch, in one piece").hasSizeLessThanOrEqualTo(1);
    recovery.start(Clock.SYSTEM, LogPosition.ORIGIN).close();
    assertThat(TestLogs.recover(disk.afterPowerLoss(3), LogPosition.ORIGIN).numbers())
        .hasSize(COMMITS);
  }

  private static LogRecovery find(HookedDisk disk) {
    return LogRecovery.find(disk, SMALL, TestLogs.ID, LogPosition.ORIGIN);
  }

  private static boolean isSecond() {
    return Thread.currentThread().getName().equals("varve-settle");
  }

  /// Guards against a generation that states an end of the log which is not durable yet (V2). The
  /// second thread does nothing before the first one waits for it, or has called the disk.
  @Test
  void theNextGenerationBeginsAfterTheLogIsDurable() {
    recovering = Thread.currentThread();
    HookedDisk disk = withLongLog();
    LogRecovery recovery = find(disk);
    Commits commits = new Commits();
    var isStarting = new AtomicBoolean();
    Queue<String> calls = new ConcurrentLinkedQueue<>();
    disk.hook((call, name, _) -> {
      if (isSecond()) {
        while (calls.isEmpty() && !(isStarting.get() && isWaiting())) {
          Thread.onSpinWait();
        }
        calls.add("second: " + call);
      } else if (isStarting.get()) {
        calls.add("first: " + call + " " + name);
      }
    });
    recovery.replayAhead(commits, () -> {});
    assertThat(commits.numbers()).isEqualTo(LongStream.rangeClosed(1, COMMITS).boxed().toList());
    isStarting.set(true);
    try (Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN)) {
      List<String> inOrder = List.copyOf(calls);
      assertThat(inOrder.lastIndexOf("second: " + Call.FORCE))
          .isPositive()
          .isEqualTo(firstOf(inOrder) - 1);
      Commits.commit(log, COMMITS + 1, 3000, Durability.POWER_LOSS);
    }
    assertThat(TestLogs.recover(disk.afterPowerLoss(3), LogPosition.ORIGIN).numbers())
        .hasSize(COMMITS + 1);
  }

  private boolean isWaiting() {
    return recovering.getState() != Thread.State.RUNNABLE;
  }

  /// The index of the first call of the thread that recovers.
  private static int firstOf(List<String> calls) {
    return (int) calls.stream().takeWhile(call -> call.startsWith("second")).count();
  }

  @Test
  void whatFailsOnTheSecondThreadFailsTheRecovery() {
    HookedDisk disk = withLongLog();
    LogRecovery recovery = find(disk);
    disk.hook((call, _, _) -> {
      if (call == Call.FORCE && isSecond()) {
        throw new IOException("force failed");
      }
    });
    recovery.replayAhead(new Commits(), () -> {});
    recovery.finishSettling();
    assertThatThrownBy(recovery::awaitSettled).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> recovery.start(Clock.SYSTEM, LogPosition.ORIGIN))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("force failed");
    disk.hook((_, _, _) -> {});
    assertThat(TestLogs.recover(disk, LogPosition.ORIGIN).numbers()).hasSize(COMMITS);
  }

  /// A thread that cannot be made, for another reason than a lack of memory, left the files of the
  /// log open.
  @Test
  void filesAreClosedWhereNoThreadBegins() {
    HookedDisk disk = withLongLog();
    var error = new StackOverflowError("simulated");
    LogSettings settings = SMALL.threads(new NoThreads(error));
    LogRecovery recovery = LogRecovery.find(disk, settings, TestLogs.ID, LogPosition.ORIGIN);
    disk.failCloses(); // which shows that they were tried
    assertThatThrownBy(() -> recovery.replayAhead(new Commits(), () -> {})).isSameAs(error);
    assertThat(error.getSuppressed())
        .singleElement(THROWABLE)
        .rootCause()
        .hasMessageContaining("not closed");
  }

  private record NoThreads(Error error) implements StoreThreads {
    @Override
    public Thread newThread(String name, Runnable work) {
      throw error;
    }

    @Override
    public boolean callerMayServe() {
      return true;
    }
  }
}
