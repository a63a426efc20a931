package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The wall clock jumps while entries wait for their ends, which are times of it. What was put
/// keeps its end, and what is put next ends by the clock as it is then. Purges continue.
@Timeout(60)
class ClockJumpsOfCachesTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestClock clock = new TestClock();

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<String, String> open(CacheManager manager, StorageMode mode) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    options.mode(mode);
    if (mode.hasPages()) {
      options.heapEntriesMax(10);
    }
    return manager.createCache("c", options).unwrap(VarveCache.class);
  }

  private void moveTo(long millis) {
    clock.move(Duration.between(clock.instant(), Instant.ofEpochMilli(millis)));
  }

  private static void awaitSize(VarveCache<?, ?> cache, long size) throws InterruptedException {
    while (cache.size() != size) {
      TimeUnit.MILLISECONDS.sleep(5); // the purge is a thread of its own
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsStayWhereTheyAre(StorageMode mode) throws InterruptedException {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, mode);
      clock.move(Duration.ofDays(20_000));
      Instant start = clock.instant();
      cache.put("before", "1", TEN_MINUTES);
      clock.move(HOUR.negated());
      assertThat(cache.get("before")).isEqualTo("1");
      assertThat(cache.expiresAt("before")).contains(start.plus(TEN_MINUTES));
      cache.put("after", "2", TEN_MINUTES);
      clock.move(TEN_MINUTES);
      assertThat(cache.get("after")).isNull();
      awaitSize(cache, 1);
      assertThat(cache.get("before")).isEqualTo("1");
      clock.move(Duration.ofDays(365));
      assertThat(cache.get("before")).isNull();
      awaitSize(cache, 0);
      clock.move(Duration.ofDays(-365));
      assertThat(cache.get("before")).as("a purge removed it").isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void entriesEndAtTimesThatNoCalendarHas(StorageMode mode) throws InterruptedException {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, mode);
      for (long start : new long[] {-1, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2, -600_000}) {
        moveTo(start);
        for (int i = 0; i < 30; i++) { // more than the heap above pages takes
          cache.put("k" + i, "v", TEN_MINUTES);
        }
        assertThat(cache.get("k7")).isEqualTo("v");
        clock.move(TEN_MINUTES.minusMillis(1));
        assertThat(cache.containsKey("k7")).isTrue();
        clock.move(Duration.ofMillis(1));
        assertThat(cache.get("k7")).isNull();
        awaitSize(cache, 0);
      }
      moveTo(Long.MAX_VALUE - 5);
      cache.put("never", "v", TEN_MINUTES);
      moveTo(Long.MAX_VALUE);
      assertThat(cache.get("never")).as("an end beyond the clock is none").isEqualTo("v");
    }
  }
}
