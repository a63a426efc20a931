package io.varve.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Strong commits, interleaved at the accesses to memory by which threads of the log and committers
/// find out about each other. Each must end within [#STRONG_NANOS_MAX] of simulated time (D5): a
/// force takes up to half a millisecond, and the timer comes too late to help.
@Tag("simulation")
class GroupCommitSimulationTest {
  private static final int SEEDS = 60;
  private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(2);
  private static final long STRONG_NANOS_MAX = 400_000_000;

  /// Guards against a wake-up that is lost: a flusher saw that it was woken before it was counted
  /// as a server. It took the batch for one that another serves, and rested again.
  @Test
  void strongCommitsAreWrittenWithoutTheTimerD5() {
    new WovenClassLoader().run(StrongAlone.class);
  }

  @Test
  void strongCommitsAreNotStarvedByWeakOnesD5() {
    new WovenClassLoader().run(StrongAmongWeak.class);
  }

  /// The engine broken on purpose: no thread reports that a batch is waited for, so the timer finds
  /// it.
  @Test
  void aStrongCommitThatWaitsForTheTimerIsFoundD5() {
    CodeTransform forgetful =
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString("wantForce")) {
            code.pop2(); // the log's, and the batch
          } else {
            code.with(element);
          }
        };
    UnaryOperator<byte[]> change =
        bytes -> {
          ClassFile file = ClassFile.of();
          return file.transformClass(
              file.parse(bytes),
              ClassTransform.transformingMethodBodies(
                  method -> method.methodName().equalsString("awaitBatch"), forgetful));
        };
    var broken = new WovenClassLoader(Map.of("io.varve.internal.wal.group.GroupCommit", change));
    assertThatThrownBy(() -> broken.run(StrongAlone.class))
        .hasStackTraceContaining("strong commit took too long (D5)");
  }

  /// Two threads that make strong commits; nothing else happens that would get a batch written.
  static final class StrongAlone implements Runnable {
    @Override
    public void run() {
      Seeds.forEach(SEEDS, seed -> commit(seed, /* weakWriters= */ 0));
    }
  }

  /// The same concurrently with three threads that make weak commits without a pause.
  static final class StrongAmongWeak implements Runnable {
    @Override
    public void run() {
      Seeds.forEach(SEEDS / 2, seed -> commit(seed, /* weakWriters= */ 3));
    }
  }

  private static void commit(long seed, int weakWriters) {
    var threads = new SimulatedThreads(seed);
    threads.turnsMax(1_000_000);
    threads.run(() -> {
      var random = new SplittableRandom(seed);
      StoreOptions options =
          StoreOptions.defaults()
              .log(log -> log.bufferBytes(1 << 16).flushInterval(FLUSH_INTERVAL));
      Store store =
          SimulatedStore.open(
              disk(seed, threads),
              threads,
              weakWriters == 0 ? options : LogModes.random(random, options));
      Space space = store.space("a");
      threads.stopAtAccesses(true);
      boolean[] over = new boolean[1];
      List<Thread> weak = new ArrayList<>();
      for (int i = 0; i < weakWriters; i++) {
        weak.add(threads.start("weak-" + i, () -> putUntil(over, space, threads)));
      }
      List<Thread> strong = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        byte[] key = Integer.toString(i).getBytes(UTF_8);
        strong.add(threads.start("strong-" + i, () -> putStrongly(space, key, threads)));
      }
      strong.forEach(GroupCommitSimulationTest::join);
      over[0] = true;
      weak.forEach(GroupCommitSimulationTest::join);
      threads.stopAtAccesses(false);
      store.close();
    });
  }

  /// The thread that has just written looks whether there is more to write, or rests: closely
  /// interleaved.
  private static SimulatedDisk disk(long seed, SimulatedThreads threads) {
    var disk = new SimulatedDisk(seed);
    var random = new SplittableRandom(seed);
    disk.faults(call -> {
      if (call.operation() == DiskOperation.FORCE || call.operation() == DiskOperation.WRITE) {
        threads.pause(random.nextInt(500_000));
      }
      threads.lookClosely();
      return Fault.NONE;
    });
    return disk;
  }

  private static void putStrongly(Space space, byte[] key, SimulatedThreads threads) {
    for (int i = 0; i < 8; i++) {
      threads.lookClosely();
      long start = threads.nanoTime();
      space.with(Durability.POWER_LOSS).put(key, key);
      long nanos = threads.nanoTime() - start;
      if (nanos > STRONG_NANOS_MAX) {
        throw new AssertionError("strong commit took too long (D5): nanos=" + nanos);
      }
    }
  }

  private static void putUntil(boolean[] over, Space space, SimulatedThreads threads) {
    byte[] key = "weak".getBytes(UTF_8);
    while (!over[0]) {
      space.with(Durability.BACKGROUND).put(key, new byte[200]);
      threads.giveTurn();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("no thread interrupts", e);
    }
  }
}
