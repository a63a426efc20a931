package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.spi.RetainedPage;
import io.varve.spi.RetentionPolicy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The names of policies, and how a store comes to one of a program.
@Timeout(120)
class PageRetentionTest {
  @TempDir Path directory;

  /// Has no opinion.
  private static final class Indifferent implements RetentionPolicy {
    @Override
    public void added(RetainedPage page, boolean passing) {}

    @Override
    public void used(RetainedPage page) {}

    @Override
    public void removed(RetainedPage page) {}

    @Override
    public @Nullable RetainedPage next() {
      return null;
    }
  }

  /// Fails in each of its calls after some.
  private static final class Failing implements RetentionPolicy {
    private final AtomicInteger callsLeft = new AtomicInteger(500);

    private void call() {
      if (callsLeft.getAndDecrement() <= 0) {
        throw new IllegalStateException("a fault of the policy");
      }
    }

    @Override
    public void added(RetainedPage page, boolean passing) {
      call();
    }

    @Override
    public void used(RetainedPage page) {
      call();
    }

    @Override
    public void removed(RetainedPage page) {
      call();
    }

    @Override
    public @Nullable RetainedPage next() {
      call();
      return null;
    }
  }

  private static StoreOptions with(PageRetention retention) {
    return StoreOptions.defaults().cacheBytes(1 << 20).cache(cache -> cache.retention(retention));
  }

  @Test
  void ownOnesAreFoundByName() {
    for (PageRetention own : PageRetention.builtIn()) {
      assertThat(PageRetention.named(own.name())).isSameAs(own);
      assertThat(own).hasToString(own.name());
      assertThat(own.newPolicy()).isEmpty();
    }
    assertThatThrownBy(() -> PageRetention.named("arc"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'arc' is none of none, hashed, lru, s3_fifo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lru", "a name", "näme", "0123456789012345678901234567890"})
  void aNameThatIsTakenOrNoNameIsRefused(String name) {
    assertThatThrownBy(() -> PageRetention.of(name, Indifferent::new))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name='" + name + "'");
  }

  @Test
  void eachOpenHasAPolicyOfItsOwn() {
    List<RetentionPolicy> made = new ArrayList<>();
    PageRetention retention =
        PageRetention.of(
            "own",
            () -> {
              made.add(new Indifferent());
              return made.getLast();
            });
    for (int open = 1; open <= 2; open++) {
      try (Store store = Store.open(directory, with(retention))) {
        assertThat(store.statistics().commits().lastLsn()).isNotNegative();
      }
      assertThat(made).hasSize(open).doesNotHaveDuplicates();
    }
  }

  /// Whose policy fails, has the right answers and its budget, and a warning.
  @Test
  void aStoreOutlivesAPolicyThatFails() throws Exception {
    var warned = new CompletableFuture<LogRecord>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            warned.complete(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.varve.internal.cache.ProvidedRetention");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    int keys = 20_000;
    try (Store store = Store.open(directory, with(PageRetention.of("failing", Failing::new)))) {
      Space space = store.space("s").with(Durability.BACKGROUND);
      for (int key = 0; key < keys; key++) {
        space.put(key(key), new byte[200]);
      }
      store.checkpoint();
      for (int key = 0; key < keys; key++) {
        assertThat(space.get(key(key))).hasSize(200);
        space.get(key(key / 100));
      }
      assertThat(store.statistics().cache().evictions()).isGreaterThan(500);
      assertThat(store.statistics().cache().usedBytes()).isLessThanOrEqualTo(1 << 20);
      LogRecord record = warned.get();
      assertThat(record.getMessage()).contains("policy=failing");
      assertThat(record.getThrown()).hasMessage("a fault of the policy");
      store.verify().requireSound();
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /// An open that fails for the policy leaves the store as it was, and its lock free.
  @Test
  void anOpenFailsWithWhatTheSupplierThrows() {
    PageRetention throwing =
        PageRetention.of(
            "throwing",
            () -> {
              throw new UnsupportedOperationException("not here");
            });
    @SuppressWarnings("NullAway") // what a caller without its checks may do
    PageRetention none = PageRetention.of("nothing", () -> null);
    assertThatThrownBy(() -> Store.open(directory, with(throwing)).close())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> Store.open(directory, with(none)).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("name=nothing");
    try (Store store = Store.open(directory, with(PageRetention.LRU))) {
      store.verify().requireSound();
    }
  }
}
