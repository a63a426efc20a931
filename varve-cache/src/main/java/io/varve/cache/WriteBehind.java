package io.varve.cache;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/// How changes of a cache reach its writer later, in batches, instead of in the call that makes
/// them: [CacheOptions#writeBehind(WriteBehind)].
///
/// - **Order:** changes of one key are written in their order. Of those that wait the last one is
///   written alone. Changes of different keys may be written in any order.
/// - **Failures:** what the writer refuses is tried again, in smaller batches until it is clear
///   which entry it refuses. So the writer may be given a change more than once.
/// - **Durability:** in modes `TIERED` and `PAGES` changes wait in the store of the cache. Those
///   that survive a crash are written when the cache opens again. In modes `HEAP` and `OVERFLOW` a
///   crash loses changes that wait.
/// - **Reads:** a read that has to load is answered from the changes that wait.
/// - **A close** waits until the writer has written what waits, for 30 seconds at most. A
///   processor, a loader or a synchronous listener holds the lock of its key. A close from there
///   ends when the writer uses that key. What is left then stays in the store, and is lost in modes
///   `HEAP` and `OVERFLOW`.
///
/// @param waitingMax the most keys whose changes wait. A thread that changes another key waits then
///   after its call, and so may exceed this by the keys of one call; or the change is refused
/// @param refusesWhenFull whether it is refused, with a `CacheWriterException`, and not made
/// @param batchMax the most keys that the writer is given by one call
/// @param delay how long a change waits for others at most, while the writer does not fail
/// @param retry what happens when the writer fails
/// @since 1.0
public record WriteBehind(
    int waitingMax, boolean refusesWhenFull, int batchMax, Duration delay, Retry retry)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /// What happens when the writer fails.
  ///
  /// @param pauseMin how long nothing is written then; twice as long after each further failure
  /// @param pauseMax the longest such pause
  /// @param attemptsMax how many times an entry is tried alone before it is dropped, logged and
  ///   counted; 0 for no end
  /// @since 1.0
  public record Retry(Duration pauseMin, Duration pauseMax, int attemptsMax)
      implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    /// Checks all bounds.
    public Retry {
      if (!pauseMin.isPositive() || pauseMax.compareTo(pauseMin) < 0) {
        throw new IllegalArgumentException(
            "pauseMin="
                + pauseMin
                + ", pauseMax="
                + pauseMax
                + ": the first must be above 0, the second not less");
      }
      if (attemptsMax < 0) {
        throw new IllegalArgumentException("attemptsMax=" + attemptsMax + ": must be 0 or more");
      }
    }
  }

  /// Checks all bounds.
  public WriteBehind {
    requirePositive("waitingMax", waitingMax);
    requirePositive("batchMax", batchMax);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay=" + delay + ": must be 0 or more");
    }
    Objects.requireNonNull(retry, "retry");
  }

  private static void requirePositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + "=" + value + ": must be above 0");
    }
  }

  /// 10,000 keys wait at most, and threads wait when there are more. Batches have up to 500 keys
  /// and wait a second. Pauses take from 100 milliseconds to 30 seconds, and nothing is dropped.
  public static WriteBehind defaults() {
    return new WriteBehind(
        10_000,
        false,
        500,
        Duration.ofSeconds(1),
        new Retry(Duration.ofMillis(100), Duration.ofSeconds(30), 0));
  }

  /// The same with another [#waitingMax()].
  public WriteBehind waitingMax(int keys) {
    return new WriteBehind(keys, refusesWhenFull, batchMax, delay, retry);
  }

  /// The same with another [#refusesWhenFull()].
  public WriteBehind refusesWhenFull(boolean refuses) {
    return new WriteBehind(waitingMax, refuses, batchMax, delay, retry);
  }

  /// The same with another [#batchMax()].
  public WriteBehind batchMax(int keys) {
    return new WriteBehind(waitingMax, refusesWhenFull, keys, delay, retry);
  }

  /// The same with another [#delay()].
  public WriteBehind delay(Duration time) {
    return new WriteBehind(waitingMax, refusesWhenFull, batchMax, time, retry);
  }

  /// The same with other pauses.
  public WriteBehind retry(Duration pauseMin, Duration pauseMax) {
    return new WriteBehind(
        waitingMax,
        refusesWhenFull,
        batchMax,
        delay,
        new Retry(pauseMin, pauseMax, retry.attemptsMax()));
  }

  /// The same with another number of attempts: [Retry#attemptsMax()].
  public WriteBehind attemptsMax(int attempts) {
    return new WriteBehind(
        waitingMax,
        refusesWhenFull,
        batchMax,
        delay,
        new Retry(retry.pauseMin(), retry.pauseMax(), attempts));
  }
}
