package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An interrupt closes no file, fails and loses no operation, and its flag is set afterwards: the
/// contract on interrupts, for every public call, on real files, since it is channels that an
/// interrupt closes.
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptTest {
  private static final int CALLERS = BuildFigures.INTERRUPTED_CALLERS;

  /// How often each caller is interrupted.
  private static final int INTERRUPTS =
      Integer.getInteger("varve.interrupts", BuildFigures.INTERRUPTS);

  /// How often the thread that interrupts looks whether all callers have ended.
  private static final long LOOK_MILLIS = 20;

  /// How often it lets others run before an interrupt, so that it comes at any time of a call.
  private static final int YIELDS_MAX = 8;

  @TempDir Path directory;

  private Path storeDirectory() {
    return directory.resolve("store");
  }

  private Store open() {
    return Store.open(storeDirectory(), Stores.tiny());
  }

  /// A call that is added must be added to the table.
  @Test
  void tableNamesEveryPublicCall() {
    assertThat(PublicCalls.all().keySet())
        .containsExactlyInAnyOrderElementsOf(PublicCalls.declared());
  }

  /// Every call, made with the flag set already.
  @Test
  void callsWorkInAnInterruptedThread() {
    interrupted("open", () -> open().close());
    Store store = open();
    Caller caller = new Caller(store, directory, 0);
    for (int round = 0; round < 3; round++) {
      PublicCalls.all()
          .forEach((name, call) -> {
            caller.pick();
            interrupted(name, () -> call.accept(caller));
          });
    }
    interrupted("close", store::close);
    requireAll(List.of(caller));
  }

  private static void interrupted(String name, Runnable call) {
    Thread.currentThread().interrupt();
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      throw new AssertionError("failed in an interrupted thread: " + name, e);
    } finally {
      assertThat(Thread.interrupted()).as("flag is still set after %s", name).isTrue();
    }
  }

  @Test
  void platformThreadsMayBeInterruptedAtAnyTime() throws Exception {
    interruptAtRandom(/* virtual= */ false);
  }

  @Test
  void virtualThreadsMayBeInterruptedAtAnyTime() throws Exception {
    interruptAtRandom(/* virtual= */ true);
  }

  private void interruptAtRandom(boolean virtual) throws Exception {
    Store store = open();
    Threads threads = new Threads();
    AtomicInteger running = new AtomicInteger(CALLERS);
    BlockingQueue<Target> ready = new LinkedBlockingQueue<>();
    List<Target> targets =
        IntStream.range(0, CALLERS)
            .mapToObj(number -> new Target(new Caller(store, directory, number), ready))
            .toList();
    for (Target target : targets) {
      Threads.Body body =
          () -> {
            try {
              target.run();
            } finally {
              running.decrementAndGet();
            }
          };
      Thread started = virtual ? threads.startVirtual(body) : threads.start(body);
      assertThat(started.isVirtual()).isEqualTo(virtual);
    }
    threads.start(() -> {
      SplittableRandom random = new SplittableRandom(7);
      while (running.get() > 0) {
        Target target = ready.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (target != null) {
          target.interruptAfter(random.nextInt(YIELDS_MAX));
        }
      }
    });
    threads.join();
    store.verify().requireSound();
    interrupted("close", store::close);
    requireAll(targets.stream().map(target -> target.caller).toList());
  }

  private void requireAll(List<Caller> callers) {
    try (Store reopened = open()) {
      callers.forEach(caller -> caller.requireAll(reopened));
      reopened.verify().requireSound();
    }
  }

  /// A thread that makes calls and looks at its flag after each. It asks for each interrupt. So the
  /// calls of a run follow from the interrupts, and not from how often the thread that interrupts
  /// is on a core.
  private static final class Target {
    private final Caller caller;

    /// Those that are to be interrupted.
    private final BlockingQueue<Target> ready;

    /// Set after the flag, so that a thread that sees it must find the flag set, too; cleared by
    /// the target.
    private final AtomicBoolean pending = new AtomicBoolean();

    private volatile Thread thread;
    private int interrupts; // of the target alone

    Target(Caller caller, BlockingQueue<Target> ready) {
      this.caller = caller;
      this.ready = ready;
    }

    /// Interrupts, soon.
    void interruptAfter(int yields) {
      for (int i = 0; i < yields; i++) {
        Thread.yield();
      }
      thread.interrupt();
      pending.set(true);
    }

    void run() {
      thread = Thread.currentThread();
      var calls = List.copyOf(PublicCalls.all().entrySet());
      SplittableRandom random = new SplittableRandom(caller.number());
      ready.add(this);
      while (interrupts < INTERRUPTS) {
        var call = calls.get(random.nextInt(calls.size()));
        caller.pick();
        call(call.getKey(), call.getValue());
      }
    }

    private void call(String name, Consumer<Caller> call) {
      try {
        call.accept(caller);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("failed: " + name, e);
      }
      if (pending.get()) {
        assertThat(Thread.interrupted()).as("flag is still set after %s", name).isTrue();
        interrupts++;
        pending.set(false);
        if (interrupts < INTERRUPTS) {
          ready.add(this);
        }
      }
    }
  }
}
