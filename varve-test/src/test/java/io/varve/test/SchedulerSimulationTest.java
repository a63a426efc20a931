package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The scheduler under which simulations run.
@Tag("simulation")
class SchedulerSimulationTest {
  @Test
  void aSeedGivesOneOrderAndOtherSeedsGiveOthers() {
    Set<List<Integer>> orders = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      List<Integer> order = orderOf(seed);
      assertThat(orderOf(seed)).isEqualTo(order);
      orders.add(order);
    }
    assertThat(orders).hasSizeGreaterThan(5);
  }

  private static List<Integer> orderOf(long seed) {
    List<Integer> order = new ArrayList<>();
    SimulatedThreads threads = new SimulatedThreads(seed);
    threads.run(() -> {
      List<Thread> started = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int number = i;
        started.add(
            threads.start(
                "t" + i,
                () -> {
                  for (int turn = 0; turn < 3; turn++) {
                    order.add(number);
                    threads.giveTurn();
                  }
                }));
      }
      started.forEach(SchedulerSimulationTest::join);
    });
    return order;
  }

  /// The JDK hands a thread over again whose stack it gave. That made it runnable twice, and ended
  /// the history with an index out of bounds.
  @Test
  void aLookAtTheStackOfAThreadThatWaitsForItsTurnIsNoSecondTurn() {
    int[] turns = new int[1];
    SimulatedThreads threads = new SimulatedThreads(1);
    threads.run(() -> {
      Thread other =
          threads.start(
              "other",
              () -> {
                for (; turns[0] < 5; turns[0]++) {
                  threads.giveTurn();
                }
              });
      while (other.isAlive()) {
        other.getStackTrace();
        threads.giveTurn();
      }
    });
    assertThat(turns[0]).isEqualTo(5);
  }

  /// The JDK hands a monitor over on a thread of its own; that must not show.
  @Test
  void contentionForAMonitorRepeats() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(digestOfContention(seed)).isEqualTo(digestOfContention(seed));
    }
  }

  private static long digestOfContention(long seed) {
    Object monitor = new Object();
    SimulatedThreads threads = new SimulatedThreads(seed);
    threads.run(() -> {
      List<Thread> started = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        started.add(
            threads.start(
                "t" + i,
                () -> {
                  for (int turn = 0; turn < 5; turn++) {
                    synchronized (monitor) {
                      threads.pause(1000);
                    }
                  }
                }));
      }
      started.forEach(SchedulerSimulationTest::join);
    });
    return threads.digest();
  }

  @Test
  void timeGoesToTheNextSleeperWhenNobodyCanContinue() {
    SimulatedThreads threads = new SimulatedThreads(1);
    List<String> woken = new ArrayList<>();
    threads.run(() -> {
      Thread late =
          threads.start(
              "late",
              () -> {
                threads.pause(5_000_000_000L);
                woken.add("late");
              });
      Thread early =
          threads.start(
              "early",
              () -> {
                threads.asClock().parkNanos(this, 1_000_000_000L);
                woken.add("early");
              });
      join(late);
      join(early);
    });
    assertThat(woken).containsExactly("early", "late");
    assertThat(threads.nanoTime()).isBetween(5_000_000_000L, 5_100_000_000L);
  }

  @Test
  void aPauseConsumesNeitherInterruptNorUnpark() {
    SimulatedThreads threads = new SimulatedThreads(1);
    threads.run(() -> {
      Thread.currentThread().interrupt();
      LockSupport.unpark(Thread.currentThread());
      threads.pause(1_000_000);
      assertThat(threads.nanoTime()).isGreaterThanOrEqualTo(1_000_000);
      assertThat(Thread.interrupted()).isTrue();
      LockSupport.park(this); // returns for the unpark before, or hangs
    });
  }

  @Test
  void aDeadlockIsFoundAndShown() {
    SimulatedThreads threads = new SimulatedThreads(1);
    ReentrantLock one = new ReentrantLock();
    ReentrantLock other = new ReentrantLock();
    assertThatThrownBy(() ->
            threads.run(() -> {
              Thread helper =
                  threads.start(
                      "helper",
                      () -> {
                        other.lock();
                        threads.pause(1000);
                        one.lock();
                      });
              one.lock();
              threads.pause(1_000_000);
              other.lock();
              join(helper);
            }))
        .isInstanceOf(StuckThreadsException.class)
        .hasMessageContaining("no thread can continue")
        .hasMessageContaining("helper")
        .hasMessageContaining("ReentrantLock.lock");
  }

  /// Threads of the JDK, such as those of cleaners, are not part of the simulation.
  @Test
  void aMonitorThatAnOutsiderHasIsWaitedFor() throws InterruptedException {
    Object monitor = new Object();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch wanted = new CountDownLatch(1);
    AtomicBoolean had = new AtomicBoolean();
    Thread outsider =
        Thread.ofPlatform()
            .start(() -> {
              synchronized (monitor) {
                held.countDown();
                awaitBlocked(wanted);
              }
            });
    held.await();
    SimulatedThreads threads = new SimulatedThreads(1);
    threads.run(() -> {
      wanted.countDown();
      synchronized (monitor) {
        had.set(true);
      }
    });
    outsider.join();
    assertThat(had).isTrue();
  }

  /// Long enough for the scheduler to look for another thread without success; if not, the test
  /// shows less.
  private static void awaitBlocked(CountDownLatch wanted) {
    try {
      wanted.await();
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void threadsThatNeverEndAreFound() {
    SimulatedThreads threads = new SimulatedThreads(1);
    threads.turnsMax(1000);
    assertThatThrownBy(() ->
            threads.run(() -> {
              while (true) {
                threads.giveTurn();
              }
            }))
        .isInstanceOf(StuckThreadsException.class)
        .hasMessageContaining("do not come to an end");
  }

  @Test
  void whatAThreadThrowsEndsTheRun() {
    SimulatedThreads threads = new SimulatedThreads(1);
    assertThatThrownBy(() ->
            threads.run(() -> {
              threads.start(
                  "failing",
                  () -> {
                    throw new IllegalStateException("as meant");
                  });
              LockSupport.park(this);
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("as meant");
  }

  @Test
  void abandonedThreadsNeverRunAgain() {
    SimulatedThreads threads = new SimulatedThreads(1);
    int[] count = new int[1];
    threads.run(() -> {
      threads.start(
          "abandoned",
          () -> {
            while (true) {
              count[0]++;
              threads.giveTurn();
            }
          });
      threads.pause(1_000_000);
      threads.abandonOthers();
      int then = count[0];
      assertThat(then).isPositive();
      threads.pause(1_000_000);
      assertThat(count[0]).isEqualTo(then);
    });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
