package io.varve.test.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.test.BuildFigures;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.SimulatedThreads;
import io.varve.test.WovenClassLoader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Defects that show only where a thread stops between two accesses to memory. They are planted in
/// the bytes of the engine, which has no switch for them.
@Tag("simulation")
class WovenDefectSimulationTest {
  /// Such defects show where many threads meet: histories are longer than most, with more threads.
  private static final int STEPS_MAX = 120;

  private static final int THREADS_MAX = 8;

  /// The histories before this one find nothing. That they are left out spares each build a minute.
  private static final long FIRST_SEED = 40;

  /// A checkpoint notes where it cuts the log when commits may continue again: so it may leave one
  /// out whose log it releases.
  @Test
  void aCutOfTheLogThatIsTakenAfterTheGateOpensIsFound() {
    requireFound(
        FaultKind.POWER,
        "io.varve.internal.txn.Snapshots",
        "close",
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString("run")) {
            code.pop();
            return;
          }
          if (element instanceof ReturnInstruction) {
            code.aload(1)
                .invokeinterface(
                    ClassDesc.of("java.lang.Runnable"),
                    "run",
                    MethodTypeDesc.of(ConstantDescs.CD_void));
          }
          code.with(element);
        });
  }

  /// The first history that fails with the defect, and passes without it.
  private static void requireFound(
      FaultKind fault, String className, String method, CodeTransform defect) {
    var broken = new WovenHistory(broken(className, method, defect));
    SimulationOptions options = new SimulationOptions(EnumSet.of(fault), STEPS_MAX, THREADS_MAX);
    for (long seed = FIRST_SEED; seed < FIRST_SEED + BuildFigures.PLANTED_SEEDS; seed++) {
      try {
        broken.run(seed, options, null);
      } catch (SimulationFailedError e) {
        assertThat(e).hasMessageContaining("seed=" + seed);
        new WovenHistory(new WovenClassLoader(Map.of())).run(seed, options, null);
        return;
      }
    }
    fail("defect was not found: seeds=%d from %d on", BuildFigures.PLANTED_SEEDS, FIRST_SEED);
  }

  private static WovenClassLoader broken(String className, String method, CodeTransform defect) {
    UnaryOperator<byte[]> change =
        bytes -> {
          ClassFile file = ClassFile.of();
          return file.transformClass(
              file.parse(bytes),
              ClassTransform.transformingMethodBodies(
                  each -> each.methodName().equalsString(method), defect));
        };
    return new WovenClassLoader(Map.of(className, change));
  }

  @Test
  void readsOfALeafThatChangesAreWhole() {
    new WovenClassLoader().run(ReadsOfOneLeaf.class);
  }

  /// A reader does not look whether a writer changed the leaf while it read.
  @Test
  void aReadThatDoesNotValidateTheVersionOfItsLeafIsFound() {
    CodeTransform defect =
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            code.pop().iconst_1();
          }
          code.with(element);
        };
    WovenClassLoader broken = broken("io.varve.internal.page.Leaf", "validate", defect);
    assertThatThrownBy(() -> broken.run(ReadsOfOneLeaf.class))
        .hasStackTraceContaining("read while its leaf changed");
  }

  /// Two threads read values that two others put and delete, all in one leaf.
  static final class ReadsOfOneLeaf implements Runnable {
    private static final int KEYS = 6;
    private static final int STEPS = 40;

    @Override
    public void run() {
      for (long seed = 1; seed <= BuildFigures.PLANTED_SEEDS / 4; seed++) {
        readAndWrite(seed);
      }
    }

    private static void readAndWrite(long seed) {
      var threads = new SimulatedThreads(seed);
      threads.run(() -> {
        var random = new SplittableRandom(seed);
        Store store =
            SimulatedStore.open(new SimulatedDisk(seed), threads, StoreOptions.defaults());
        Space space = store.space("a").with(Durability.BACKGROUND);
        threads.stopAtAccesses(true);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          SplittableRandom writes = random.split();
          all.add(threads.start("writer-" + i, () -> write(space, writes, threads)));
          SplittableRandom reads = random.split();
          all.add(threads.start("reader-" + i, () -> read(space, reads, threads, seed)));
        }
        all.forEach(ReadsOfOneLeaf::join);
        threads.stopAtAccesses(false);
        store.close();
      });
    }

    private static void write(Space space, SplittableRandom random, SimulatedThreads threads) {
      for (int i = 0; i < STEPS; i++) {
        threads.lookClosely();
        byte[] key = {(byte) random.nextInt(KEYS)};
        if (random.nextInt(3) == 0) {
          space.delete(key);
        } else {
          space.put(key, value(key, 1 + random.nextInt(100)));
        }
      }
    }

    /// The key, and then the length as often as there are bytes left.
    private static byte[] value(byte[] key, int length) {
      byte[] value = new byte[length];
      Arrays.fill(value, (byte) length);
      value[0] = key[0];
      return value;
    }

    private static void read(
        Space space, SplittableRandom random, SimulatedThreads threads, long seed) {
      for (int i = 0; i < STEPS; i++) {
        threads.lookClosely();
        byte[] key = {(byte) random.nextInt(KEYS)};
        byte[] found;
        try {
          found = space.get(key);
        } catch (RuntimeException e) {
          throw new AssertionError("read while its leaf changed: seed=" + seed, e);
        }
        if (found != null && !Arrays.equals(found, value(key, found.length))) {
          throw new AssertionError(
              "read while its leaf changed: seed=%d, key=%d, found=%s"
                  .formatted(seed, key[0], Arrays.toString(found)));
        }
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
}
