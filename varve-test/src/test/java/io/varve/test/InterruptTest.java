package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.Visibility;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An interrupt closes no file, fails and loses no operation, and its flag is set afterwards: the
/// contract on interrupts, on real files, since it is channels that an interrupt closes.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptTest {
  private static final int WORKERS = 4;
  private static final int KEYS = 400;

  @TempDir Path directory;

  /// Every call, made with the flag set already.
  @Test
  void callsWorkInAnInterruptedThread() {
    List<BiConsumer<Store, Space>> calls =
        List.of(
            (_, space) -> space.put(Bytes.of("k"), new byte[5000]),
            (_, space) -> space.put(Bytes.of("w"), Bytes.of("v"), Durability.PROCESS_CRASH),
            (_, space) -> space.putAsync(Bytes.of("a"), Bytes.of("v")),
            (_, space) -> assertThat(space.get(Bytes.of("k"))).hasSize(5000),
            (_, space) -> assertThat(space.getAll(List.of(Bytes.of("k")))).hasSize(1),
            (_, space) -> assertThat(space.scan(Range.all())).isNotEmpty(),
            (_, space) -> assertThat(space.count(Range.all())).isPositive(),
            (_, space) -> space.merge(Bytes.of("m"), Bytes.of("v"), (old, _) -> old),
            (_, space) -> space.delete(Bytes.of("k")),
            (_, space) -> space.deleteRange(Range.prefix(Bytes.of("w"))),
            (store, space) -> store.transact(tx -> tx.put(space, Bytes.of("t"), Bytes.of("v"))),
            (store, _) -> store.snapshot(Visibility.DURABLE).close(),
            (store, _) -> store.awaitDurable(store.lastCommit()),
            (store, _) -> store.checkpoint(),
            (store, _) -> store.compact(),
            (store, _) -> store.verify().requireSound(),
            (store, _) -> store.space("made").put(Bytes.of("k"), Bytes.of("v")),
            (store, _) -> assertThat(store.dropSpace("made")).isTrue());
    interrupted(() -> Store.open(directory, Stores.tiny()).close());
    Store store = Store.open(directory, Stores.tiny());
    Space space = store.space("s");
    for (BiConsumer<Store, Space> call : calls) {
      interrupted(() -> call.accept(store, space));
    }
    interrupted(store::close);
    try (Store reopened = Store.open(directory, Stores.tiny())) {
      assertThat(reopened.space("s").get(Bytes.of("t"))).isEqualTo(Bytes.of("v"));
      reopened.verify().requireSound();
    }
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    try {
      call.run();
    } finally {
      assertThat(Thread.interrupted()).as("flag is still set").isTrue();
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
    Store store = Store.open(directory, Stores.tiny());
    Space space = store.space("s");
    Threads threads = new Threads();
    Worker[] workers = new Worker[WORKERS];
    AtomicLong running = new AtomicLong(WORKERS);
    for (int i = 0; i < WORKERS; i++) {
      Worker worker = new Worker(store, space, i, running);
      workers[i] = worker;
      worker.thread = virtual ? threads.startVirtual(worker::run) : threads.start(worker::run);
    }
    AtomicLong interrupts = new AtomicLong();
    threads.start(() -> {
      SplittableRandom random = new SplittableRandom(7);
      while (running.get() > 0) {
        Worker worker = workers[random.nextInt(WORKERS)];
        if (worker.interruptIfNonePending()) {
          interrupts.incrementAndGet();
        }
        Thread.yield();
      }
    });
    threads.join();
    assertThat(interrupts.get()).isPositive();
    store.verify().requireSound();
    Thread.currentThread().interrupt();
    store.close();
    assertThat(Thread.interrupted()).as("flag is still set after close").isTrue();
    try (Store reopened = Store.open(directory, Stores.tiny())) {
      for (Worker worker : workers) {
        worker.requireAll(reopened.space("s"));
      }
      reopened.verify().requireSound();
    }
  }

  /// Reads and writes keys of its own, and looks at its flag after each call.
  private static final class Worker {
    private static final int CALLS = 600;

    private final Store store;
    private final Space space;
    private final int number;
    private final AtomicLong running;
    private final long[] written = new long[KEYS];
    private final AtomicBoolean pending = new AtomicBoolean();
    private final AtomicBoolean interrupting = new AtomicBoolean();
    private volatile Thread thread;

    Worker(Store store, Space space, int number, AtomicLong running) {
      this.store = store;
      this.space = space;
      this.number = number;
      this.running = running;
    }

    /// Interrupts, unless the worker has not yet seen that it was. `pending` is set after the flag,
    /// so a worker that sees it set must find the flag set too.
    boolean interruptIfNonePending() {
      Thread target = thread;
      if (target == null || pending.get() || !interrupting.compareAndSet(false, true)) {
        return false;
      }
      target.interrupt();
      pending.set(true);
      return true;
    }

    void run() {
      try {
        SplittableRandom random = new SplittableRandom(number);
        for (int call = 1; call <= CALLS; call++) {
          int key = random.nextInt(KEYS);
          callOnce(random.nextInt(12), key, call);
          if (pending.get()) {
            assertThat(Thread.interrupted()).as("flag is still set").isTrue();
            pending.set(false);
            interrupting.set(false);
          }
        }
      } finally {
        running.decrementAndGet();
      }
    }

    private void callOnce(int dice, int key, int call) {
      switch (dice) {
        case 0, 1, 2 -> {
          space.put(key(key), value(call));
          written[key] = call;
        }
        case 3 -> {
          try (Transaction transaction = store.begin()) {
            transaction.put(space, key(key), value(call));
            transaction.commit();
          }
          written[key] = call;
        }
        case 4 -> {
          space.put(key(key), value(call), Durability.PROCESS_CRASH);
          written[key] = call;
        }
        case 5 -> {
          try (Snapshot snapshot = store.snapshot();
              Cursor cursor = snapshot.cursor(space, Range.prefix(Bytes.of(number + "/")))) {
            for (boolean on = cursor.first(); on; on = cursor.next()) {
              cursor.value();
            }
          }
        }
        case 6 -> {
          for (Entry entry : space.scan(Range.prefix(Bytes.of(number + "/")))) {
            assertThat(entry.value()).isNotEmpty();
          }
        }
        case 7 -> {
          if (call % 8 == 0) {
            store.checkpoint();
          }
        }
        default -> requireOne(space, key);
      }
    }

    private void requireOne(Space from, int key) {
      byte[] value = from.get(key(key));
      if (written[key] == 0) {
        assertThat(value).isNull();
      } else {
        assertThat(value).isEqualTo(value(written[key]));
      }
    }

    void requireAll(Space from) {
      for (int key = 0; key < KEYS; key++) {
        requireOne(from, key);
      }
    }

    private byte[] key(int key) {
      return Bytes.of(number + "/" + key);
    }

    private static byte[] value(long call) {
      return java.util.Arrays.copyOf(Bytes.of(call), Long.BYTES + (int) (call * 37 % 3000));
    }
  }
}
