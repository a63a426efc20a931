package io.varve.grid.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreOptions;
import io.varve.grid.items.ItemStore;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.infinispan.Cache;
import org.infinispan.commons.ThreadGroups;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.event.CacheEntryCreatedEvent;
import org.infinispan.util.function.SerializableFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// STEP-1: what nodes ask each other for a backup holds up no thread that reads what they send.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class BackupCallsTest {
  private static final String BACKUP = "backup";
  private static final String STEP = "hold";

  @TempDir Path directory;
  private DefaultCacheManager manager;
  private Cache<String, String> cache;

  @BeforeEach
  void start() {
    var global = new GlobalConfigurationBuilder();
    BackupConfigurationBuilder.install(
        global, directory, new ItemStore(directory, StoreOptions.defaults()));
    manager = new DefaultCacheManager(global.build());
    manager.defineConfiguration("cache", new ConfigurationBuilder().build());
    cache = manager.getCache("cache");
  }

  @AfterEach
  void stop() {
    manager.stop();
  }

  /// Holds up writes.
  @Listener
  public static final class Holding {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @CacheEntryCreated
    public void created(CacheEntryCreatedEvent<?, ?> event) throws InterruptedException {
      if (!event.isPre()) {
        begun.countDown();
        released.await();
      }
    }
  }

  /// Calls as Infinispan does when another node asks.
  private long call(SerializableFunction<? super DefaultCacheManager, Long> call) throws Exception {
    var task = new FutureTask<>(() -> call.apply(manager));
    new Thread(ThreadGroups.BLOCKING_GROUP, task).start();
    return task.get();
  }

  @Test
  void aHoldDoesNotKeepItsCallerWhileAWriteIsUnderWay() throws Exception {
    var holding = new Holding();
    cache.addListener(holding);
    CompletableFuture<String> write = CompletableFuture.supplyAsync(() -> cache.put("k", "v"));
    holding.begun.await();
    assertThat(call(BackupCalls.hold(STEP, BACKUP))).isEqualTo(BackupSteps.UNDER_WAY);
    assertThat(call(BackupCalls.answer(STEP))).isEqualTo(BackupSteps.UNDER_WAY);
    assertThat(write).isNotDone();
    holding.released.countDown();
    write.join();
    while (call(BackupCalls.answer(STEP)) == BackupSteps.UNDER_WAY) {
      Thread.onSpinWait();
    }
    assertThat(call(BackupCalls.answer(STEP))).isEqualTo(1);
    assertThat(call(BackupCalls.release(BACKUP))).isEqualTo(1);
  }

  @Test
  void aStepThatFailsReportsWhy() throws Exception {
    call(BackupCalls.write("write", BACKUP)); // of which nothing was taken
    assertThatThrownBy(
            () -> {
              while (call(BackupCalls.answer("write")) == BackupSteps.UNDER_WAY) {
                Thread.onSpinWait();
              }
            })
        .rootCause()
        .hasMessageContaining("begin another");
    assertThatThrownBy(() -> call(BackupCalls.answer("of another life")))
        .rootCause()
        .hasMessageContaining("begin another");
  }

  @Test
  void stepsThatNobodyAsksForAreForgotten() {
    var steps = new BackupSteps();
    for (int at = 0; at < 100; at++) {
      steps.begin("step " + at, () -> 0);
    }
    assertThatThrownBy(() -> steps.answer("step 0")).isInstanceOf(IllegalStateException.class);
    while (steps.answer("step 99") == BackupSteps.UNDER_WAY) {
      Thread.onSpinWait();
    }
  }
}
