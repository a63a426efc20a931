package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many threads at one item space.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ItemConcurrencyTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> results = new ArrayList<>();
      tasks.forEach(task -> results.add(threads.submit(task)));
      for (Future<Void> result : results) {
        result.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /// Guards against readers between the delete and the insert of an update, over open changes,
  /// commits, layers and the merge of layers.
  @Test
  void updateIsOneStepToReaders() throws Exception {
    Item prefix = Item.of("one");
    AtomicBoolean done = new AtomicBoolean();
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("one", 0L));
      items.commit();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        long from = writer * 10_000L;
        tasks.add(() -> {
          try {
            for (long i = 1; i < 1500; i++) {
              // Far from each other, so that they are in different leaves.
              items.update(Item.of("one", i % 2 == 0 ? -from - i : from + i), 1);
              if (i % 7 == 0) {
                items.commit(Durability.BACKGROUND);
              }
            }
            return null;
          } finally {
            done.set(true);
          }
        });
      }
      tasks.add(() -> {
        for (long i = 0; i < 8 && !done.get(); i++) {
          for (long k = 0; k < 2000; k++) {
            items.insert(Item.of("one".repeat(2), i, k)); // enough for layers
          }
          items.commit(Durability.BACKGROUND);
        }
        return null;
      });
      for (int reader = 0; reader < 2; reader++) {
        boolean back = reader == 0;
        tasks.add(() -> {
          ItemCursor cursor = items.cursor(prefix);
          while (!done.get()) {
            assertThat(back ? cursor.last() : cursor.first()).as("never empty").isTrue();
            assertThat(items.count(prefix)).as("never empty nor doubled").isEqualTo(1);
          }
          return null;
        });
      }
      runAll(tasks);
      assertThat(items.count(prefix)).isEqualTo(1);
    }
  }

  @Test
  void committersShareForces() throws Exception {
    int threads = 200;
    int rounds = 5;
    // What takes no time need not be shared.
    disk.faults(call -> {
      if (call.operation() == DiskOperation.WRITE) {
        LockSupport.parkNanos(1_000_000);
      }
      return Fault.NONE;
    });
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
      ItemSpace items = store.items("items");
      long forcesBefore = store.statistics().log().forces();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (long thread = 0; thread < threads; thread++) {
        long id = thread;
        tasks.add(() -> {
          for (long round = 0; round < rounds; round++) {
            items.insert(Item.of(id, round));
            Commit commit = items.commit();
            assertThat(store.statistics().commits().durableLsn())
                .isGreaterThanOrEqualTo(commit.lsn());
          }
          return null;
        });
      }
      runAll(tasks);
      assertThat(items.count()).isEqualTo((long) threads * rounds);
      assertThat(store.statistics().log().forces() - forcesBefore)
          .isLessThan((long) threads * rounds / 2);
    }
  }

  /// Guards against a commit that was asked for before a rollback, and is answered after it, having
  /// lost what it was to commit.
  @Test
  void rollbackLosesNoAcknowledgedCommit() throws Exception {
    int threads = 16;
    AtomicLong running = new AtomicLong(threads);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      // A space for each: a commit takes in what all threads have changed in its space.
      List<ItemSpace> spaces =
          IntStream.range(0, threads).mapToObj(id -> store.items("items" + id)).toList();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        ItemSpace items = spaces.get(thread);
        long id = thread;
        tasks.add(() -> {
          try {
            for (long i = 0; i < 100; i++) {
              // Two items each time: a rollback between them and the commit takes both or none.
              items.update(Item.of(id, "a", i), 2);
              items.insert(Item.of(id, "b", i));
              items.commit(i % 2 == 0 ? Durability.POWER_LOSS : Durability.BACKGROUND);
              boolean hasLast = items.contains(Item.of(id, "b", i));
              boolean hasFirst = items.contains(Item.of(id, "a", i));
              assertThat(hasFirst && !hasLast).as("only the end of a pair may be left").isFalse();
            }
            return null;
          } finally {
            running.decrementAndGet();
          }
        });
      }
      tasks.add(() -> {
        while (running.get() > 0) {
          spaces.forEach(ItemSpace::rollback);
        }
        return null;
      });
      runAll(tasks);
      ItemSpace items = spaces.getFirst();
      items.insert(Item.of("last"));
      items.commit();
      items.rollback();
      assertThat(items.contains(Item.of("last"))).isTrue();
    }
  }

  /// With no thread rolling back what others insert: a commit that returned keeps its items,
  /// whatever rollbacks come after it.
  @Test
  void committedItemsSurviveRollbacksOfOthers() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      List<Callable<Void>> tasks = new ArrayList<>();
      tasks.add(() -> {
        try {
          for (long i = 0; i < 400; i++) {
            Item item = Item.of("mine", i);
            do {
              items.insert(item);
              items.commit(Durability.BACKGROUND);
            } while (!items.contains(item)); // rolled back before the commit was asked for
            items.rollback();
            assertThat(items.contains(item)).isTrue();
          }
          return null;
        } finally {
          done.set(true);
        }
      });
      tasks.add(() -> {
        while (!done.get()) {
          items.insert(Item.of("theirs"));
          items.rollback();
        }
        return null;
      });
      runAll(tasks);
      assertThat(items.count(Item.of("mine"))).isEqualTo(400);
    }
  }

  /// D5: strong committers concurrently with many weak ones come through, without a sleep anywhere.
  @Test
  void strongCommitsEndAmongWeakOnesD5() throws Exception {
    AtomicLong strong = new AtomicLong();
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      List<Callable<Void>> tasks = new ArrayList<>();
      for (long thread = 0; thread < 64; thread++) {
        long id = thread;
        tasks.add(() -> {
          for (long i = 0; strong.get() < 40; i++) {
            items.update(Item.of("weak", id, i), 2);
            items.commit(Durability.BACKGROUND);
          }
          return null;
        });
      }
      for (long thread = 0; thread < 2; thread++) {
        long id = thread;
        tasks.add(() -> {
          for (long i = 0; i < 20; i++) {
            items.insert(Item.of("strong", id, i));
            Commit commit = items.commit();
            assertThat(store.statistics().commits().durableLsn())
                .isGreaterThanOrEqualTo(commit.lsn());
            strong.incrementAndGet();
          }
          return null;
        });
      }
      runAll(tasks);
      assertThat(items.count(Item.of("strong"))).isEqualTo(40);
    }
  }
}
