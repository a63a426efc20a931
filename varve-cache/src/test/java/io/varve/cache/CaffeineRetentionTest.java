package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.varve.Durability;
import io.varve.PageRetention;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.spi.RetainedPage;
import io.varve.spi.RetentionPolicy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A policy of a program, as one would write it over Caffeine: W-TinyLFU selects which pages of a
/// store stay in memory.
@Timeout(120)
class CaffeineRetentionTest {
  private static final int KEYS = 24_000;
  private static final int VALUE_BYTES = 200;
  private static final long CACHE_BYTES = 1 << 20;
  private static final int THREADS = 3;

  @TempDir Path directory;

  /// Caffeine holds as many pages as the budget holds. What it evicts waits until the store wants
  /// memory; where it evicts none, since other pages take a part, its coldest leaves.
  private static final class CaffeineRetention implements RetentionPolicy {
    /// A listener of evictions is called in one step with the removal, by whichever thread uses the
    /// cache. So once a page is invalidated, it does not come here any more.
    private final Queue<RetainedPage> evicted = new ConcurrentLinkedQueue<>();

    private final Cache<RetainedPage, RetainedPage> pages =
        Caffeine.newBuilder()
            .maximumWeight(CACHE_BYTES)
            .weigher((RetainedPage page, RetainedPage _) -> page.bytes())
            .evictionListener((page, _, _) -> evicted.add(Objects.requireNonNull(page, "page")))
            .executor(Runnable::run)
            .build();
    private final Policy.Eviction<RetainedPage, RetainedPage> eviction =
        pages.policy().eviction().orElseThrow();

    final AtomicLong uses = new AtomicLong();

    /// Guarded by the lock under which a policy is called.
    long added;

    long bytes;
    int named;

    @Override
    public void budget(long bytesMax) {
      eviction.setMaximum(bytesMax);
    }

    @Override
    public void added(RetainedPage page, boolean passing) {
      added++;
      bytes += page.bytes();
      pages.put(page, page);
    }

    @Override
    public void used(RetainedPage page) {
      uses.incrementAndGet();
      // Counts as a use.
      var _ = pages.getIfPresent(page);
    }

    @Override
    public void removed(RetainedPage page) {
      bytes -= page.bytes();
      pages.invalidate(page);
      evicted.remove(page);
    }

    @Override
    public @Nullable RetainedPage next() {
      named++;
      RetainedPage first = evicted.peek();
      return first != null ? first : eviction.coldest(1).keySet().stream().findFirst().orElse(null);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static byte[] value(int number, int version) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number * 31L + version).nextBytes(value);
    return value;
  }

  /// Reads most often what is in the first tenth.
  private static int any(SplittableRandom random) {
    return random.nextInt(random.nextInt(4) > 0 ? KEYS / 10 : KEYS);
  }

  /// Each thread changes keys of its own, and so knows what is there.
  private static void work(Space space, int thread) {
    SplittableRandom random = new SplittableRandom(thread);
    int[] versions = new int[KEYS];
    for (int i = 0; i < 6_000; i++) {
      int number = any(random) / THREADS * THREADS + thread;
      if (number >= KEYS) {
        continue;
      }
      if (random.nextInt(20) == 0) {
        versions[number]++;
        space.put(key(number), value(number, versions[number]));
      } else {
        assertThat(space.get(key(number))).isEqualTo(value(number, versions[number]));
      }
    }
    for (int number = thread; number < KEYS; number += THREADS) {
      assertThat(space.get(key(number))).isEqualTo(value(number, versions[number]));
    }
  }

  private static void workInThreads(Space space) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        threads.add(executor.submit(() -> work(space, number)));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
  }

  /// A store of several times its cache: right answers, pages within the budget, and a policy that
  /// has followed what is in memory, and was obeyed, to the end.
  @Test
  void caffeineSelectsWhichPagesStay() throws Exception {
    AtomicReference<CaffeineRetention> made = new AtomicReference<>();
    PageRetention retention =
        PageRetention.of(
            "caffeine",
            () -> {
              made.set(new CaffeineRetention());
              return made.get();
            });
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .cacheBytes(CACHE_BYTES)
            .cache(cache -> cache.retention(retention));
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      for (int number = 0; number < KEYS; number++) {
        space.put(key(number), value(number, 0));
      }
      store.checkpoint();
      workInThreads(space);
      store.checkpoint();

      CaffeineRetention policy = made.get();
      Statistics.CacheFigures figures = store.statistics().cache();
      assertThat(store.statistics().disk().pageFileBytes()).isGreaterThan(4 * CACHE_BYTES);
      assertThat(figures.usedBytes()).isLessThanOrEqualTo(CACHE_BYTES);
      assertThat(policy.bytes).isBetween(CACHE_BYTES / 2, figures.usedBytes());
      assertThat(policy.uses.get()).isPositive();
      assertThat((long) policy.named).isBetween(1000L, figures.evictions());
      int namedBefore = policy.named;
      for (int number = 0; number < KEYS; number++) {
        assertThat(space.get(key(number))).isNotNull();
      }
      assertThat(policy.named).as("has not failed").isGreaterThan(namedBefore);
      store.verify().requireSound();
    }
  }
}
