package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Errors in the middle of a commit, as a lack of stack or memory throws them. They are planted in
/// the bytes of the engine, which has no switch for them.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlantedErrorTest {
  private static final int VALUES = 60;
  private static final int VALUE_BYTES = 20_000;

  /// What the engine calls where an error is planted.
  public static final class Plant {
    private static final String THROWN = "planted by a test";

    /// The method in whose calls the error is thrown, or null.
    private static volatile @Nullable String within;

    /// The thread in which it is, or null for any.
    private static volatile @Nullable Thread thread;

    private static final AtomicInteger left = new AtomicInteger();

    private static volatile Supplier<Error> error = () -> new StackOverflowError(THROWN);

    private Plant() {}

    /// Throws errors from here on in calls of `method` by the calling thread.
    static void in(String method) {
      thread = Thread.currentThread();
      within = method;
    }

    /// Throws an error for lack of memory in the next calls of `method` by any thread, `count` of
    /// them.
    static void noMemoryIn(String method, int count) {
      thread = null;
      left.set(count);
      error = () -> new OutOfMemoryError(THROWN);
      within = method;
    }

    /// Whether the error has been thrown.
    static boolean wasReached() {
      return within == null;
    }

    /// Called by the engine.
    public static void reached() {
      String method = within;
      Thread chosen = thread;
      boolean isHere = chosen == null || Thread.currentThread().equals(chosen);
      if (method != null && isHere && isCalledBy(method)) {
        if (left.decrementAndGet() <= 0) {
          within = null;
        }
        throw error.get();
      }
    }

    private static boolean isCalledBy(String method) {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
    }
  }

  /// Runs a test in an engine in which a method calls [Plant#reached] before the instructions that
  /// `where` takes.
  private static void run(
      String className,
      String method,
      Predicate<CodeElement> where,
      Class<? extends Runnable> test) {
    run(className, Set.of(method), where, test);
  }

  private static void run(
      String className,
      Set<String> methods,
      Predicate<CodeElement> where,
      Class<? extends Runnable> test) {
    CodeTransform planting =
        (code, element) -> {
          if (where.test(element)) {
            code.invokestatic(
                ClassDesc.of(Plant.class.getName()),
                "reached",
                MethodTypeDesc.of(ConstantDescs.CD_void));
          }
          code.with(element);
        };
    UnaryOperator<byte[]> change =
        bytes -> {
          ClassFile file = ClassFile.of();
          return file.transformClass(
              file.parse(bytes),
              ClassTransform.transformingMethodBodies(
                  each -> methods.contains(each.methodName().stringValue()), planting));
        };
    new WovenClassLoader(Map.of(className, change)).run(test);
  }

  /// A thread that may not wait puts a large value again, to move it. The error comes after the
  /// change was applied, before its record is in the log, which would leave a gap there forever.
  @Test
  void anErrorInATryOfAThreadThatMayNotWaitFailsTheLog() {
    run(
        "io.varve.internal.txn.WriteLock",
        "unlock",
        ReturnInstruction.class::isInstance,
        ErrorInATry.class);
  }

  static final class ErrorInATry implements Runnable {
    @Override
    public void run() {
      SimulatedDisk disk = new SimulatedDisk(1);
      Store store = SimulatedStore.open(disk, Stores.tiny());
      Space space = store.space("s");
      for (int i = 0; i < VALUES; i++) {
        space.put(Bytes.of(i), value(i));
      }
      for (int i = 0; i < VALUES / 2; i++) {
        space.delete(Bytes.of(i));
      }
      Plant.in("tryApplyOne");
      assertThatThrownBy(store::compact).isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> space.put(Bytes.of(1), new byte[1]))
          .isInstanceOf(StoreFailedException.class)
          .hasRootCauseInstanceOf(StackOverflowError.class)
          .hasRootCauseMessage(Plant.THROWN);
      assertThat(space.get(Bytes.of(VALUES - 1))).isEqualTo(value(VALUES - 1));
      store.close();
      try (Store reopened = SimulatedStore.open(disk, Stores.tiny())) {
        Space found = reopened.space("s");
        assertThat(found.count(Range.all())).isEqualTo(VALUES - VALUES / 2);
        for (int i = VALUES / 2; i < VALUES; i++) {
          assertThat(found.get(Bytes.of(i))).isEqualTo(value(i));
        }
        reopened.verify().requireSound();
      }
    }
  }

  /// The thread that writes checkpoints finds no memory before it has begun one, since the program
  /// has filled the heap for a while. Nor does it to log that. The store had failed for either
  /// until it was opened again.
  @Test
  void aLackOfMemoryBeforeACheckpointLeavesTheStoreUsable() {
    run(
        "io.varve.internal.checkpoint.CheckpointScheduler",
        Set.of("checkpoint", "warnOf"),
        element ->
            element instanceof InvokeInstruction call
                && Set.of("takeCheckpoint", "warn").contains(call.name().stringValue()),
        NoMemoryBeforeACheckpoint.class);
  }

  static final class NoMemoryBeforeACheckpoint implements Runnable {
    @Override
    public void run() {
      try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
        Space space = store.space("s").with(Durability.BACKGROUND);
        Plant.noMemoryIn("keepHouse", 2);
        for (int i = 0; i < 2 * VALUES; i++) { // more than the log may hold without checkpoints
          space.put(Bytes.of(i % 2), value(i));
        }
        assertThat(Plant.wasReached()).isTrue();
        assertThat(store.statistics().checkpoints().count()).isPositive();
        store.verify().requireSound();
      }
    }
  }

  /// Each checkpoint that succeeded let the next error be logged, with its stack trace: five times
  /// a second, for as long as the heap is full.
  @Test
  void aLackOfMemoryAfterEachCheckpointIsLoggedOnce() {
    run(
        "io.varve.internal.checkpoint.CheckpointScheduler",
        "write",
        element ->
            element instanceof InvokeInstruction call
                && call.name().equalsString("compactIfWorthwhile"),
        NoMemoryAfterCheckpoints.class);
  }

  static final class NoMemoryAfterCheckpoints implements Runnable {
    @Override
    public void run() {
      try (var warnings = new Warnings("io.varve.internal.checkpoint.CheckpointScheduler")) {
        try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
          Space space = store.space("s").with(Durability.BACKGROUND);
          Plant.noMemoryIn("keepHouse", 3);
          for (int i = 0; !Plant.wasReached(); i++) {
            space.put(Bytes.of(i % 2), value(i));
          }
          store.verify().requireSound();
        }
        String failure = "java.lang.OutOfMemoryError: " + Plant.THROWN;
        assertThat(warnings.messages())
            .containsExactly(
                "no memory for a checkpoint or what follows it: " + failure,
                "the failure came again: times=2, failure=" + failure);
      }
    }
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    return value;
  }

  /// A thread that is lost inside the gate lets no thread shut it (GATE-3): the close reports it,
  /// and releases everything all the same.
  @Test
  void aCloseAfterAThreadWasLostInACommitReportsItAndReleasesTheStore() {
    run(
        "io.varve.internal.txn.CommitGate",
        "exit",
        element -> element instanceof InvokeInstruction call && call.name().equalsString("leave"),
        LostInTheGate.class);
  }

  static final class LostInTheGate implements Runnable {
    @Override
    public void run() {
      SimulatedDisk disk = new SimulatedDisk(1);
      Store store = SimulatedStore.open(disk, Stores.tiny());
      Space space = store.space("s");
      space.with(Durability.POWER_LOSS).put(Bytes.of(1), new byte[1]);
      requireCloseNamesLost(store, space);
      try (Store reopened = SimulatedStore.open(disk, Stores.tiny())) {
        assertThat(reopened.space("s").get(Bytes.of(1))).hasSize(1);
        reopened.verify().requireSound();
      }
      Store inMemory = Store.inMemory();
      requireCloseNamesLost(inMemory, inMemory.space("s"));
    }

    private static void requireCloseNamesLost(Store store, Space space) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread lost =
          Thread.ofPlatform()
              .name("lost")
              .uncaughtExceptionHandler((_, e) -> thrown.set(e))
              .start(() -> {
                Plant.in("put");
                space.with(store.options().durability()).put(Bytes.of(2), new byte[1]);
              });
      while (lost.isAlive()) {
        Thread.onSpinWait();
      }
      assertThat(thrown.get()).isInstanceOf(StackOverflowError.class).hasMessage(Plant.THROWN);
      assertThatThrownBy(store::close)
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("a thread was lost while it applied a commit")
          .hasMessageContaining("lost");
      store.close(); // again: there is nothing left to do
      assertThatThrownBy(() -> space.get(Bytes.of(1))).isInstanceOf(StoreClosedException.class);
    }
  }
}
