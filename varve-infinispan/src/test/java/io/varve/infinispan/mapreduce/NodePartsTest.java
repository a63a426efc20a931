package io.varve.infinispan.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.Distributed;
import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.MapReduce;
import io.varve.cache.mapreduce.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.infinispan.Cache;
import org.infinispan.commons.ThreadGroups;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.util.function.SerializableFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// ASK-1: what nodes ask each other for a job holds up no thread that reads what they send.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NodePartsTest {
  private static final String CACHE = "numbers";
  private static final String ID = "part";

  /// Where mappers wait, even if they are interrupted; static, since jobs travel as bytes.
  private static final Semaphore PASSES = new Semaphore(0);

  private static final Semaphore WAITING = new Semaphore(0);

  private DefaultCacheManager manager;

  @BeforeEach
  void start() {
    PASSES.drainPermits();
    WAITING.drainPermits();
    var global = new GlobalConfigurationBuilder();
    global.serialization().allowList().addRegexp("^io\\.varve\\.infinispan\\.mapreduce\\..*");
    manager = new DefaultCacheManager(global.build());
    manager.defineConfiguration(CACHE, new ConfigurationBuilder().build());
    Cache<String, String> cache = manager.getCache(CACHE);
    cache.put("one", "1");
  }

  @AfterEach
  void stop() throws IOException {
    PASSES.release(1_000_000);
    manager.close();
  }

  private static byte[] plan() {
    var bytes = new CompletableFuture<byte[]>();
    Distributed<CacheEntry<String, String>> nowhere =
        given -> {
          bytes.complete(PlanBytes.write(given));
          throw new CancellationException("not here");
        };
    assertThatThrownBy(() ->
            MapReduce.<CacheEntry<String, String>, String, Long>map(
                    (entry, out) -> {
                      WAITING.release();
                      PASSES.acquireUninterruptibly();
                      out.emit(entry.getKey(), 1L);
                    })
                .combine(Long::sum)
                .threads(1)
                .run(nowhere))
        .isInstanceOf(CancellationException.class);
    return bytes.join();
  }

  /// Calls as Infinispan does when another node asks.
  private Reply call(SerializableFunction<EmbeddedCacheManager, byte[]> call) throws Exception {
    var task = new FutureTask<>(() -> Reply.of(call.apply(manager)));
    new Thread(ThreadGroups.BLOCKING_GROUP, task).start();
    return task.get();
  }

  private Reply callUntilDone(SerializableFunction<EmbeddedCacheManager, byte[]> call)
      throws Exception {
    while (true) {
      Reply reply = call(call);
      if (!(reply instanceof Reply.UnderWay)) {
        return reply;
      }
    }
  }

  private void startPart() throws Exception {
    byte[] segments = IntSets.immutableRangeSet(256).toBitSet();
    assertThat(call(NodeCalls.start(ID, CACHE, null, segments, plan())))
        .isInstanceOf(Reply.Running.class);
    WAITING.acquire();
  }

  @Test
  void anEndDoesNotKeepItsCallerWhileAMapperRuns() throws Exception {
    startPart();
    assertThat(call(NodeCalls.poll(ID)))
        .isInstanceOfSatisfying(
            Reply.Running.class, running -> assertThat(running.isMapped()).isFalse());
    assertThat(call(NodeCalls.close(ID))).isInstanceOf(Reply.UnderWay.class);
    assertThat(call(NodeCalls.close(ID))).isInstanceOf(Reply.UnderWay.class);
    PASSES.release(1_000_000);
    assertThat(callUntilDone(NodeCalls.close(ID))).isInstanceOf(Reply.Closed.class);
    assertThat(call(NodeCalls.close("of another life"))).isInstanceOf(Reply.Closed.class);
  }

  @Test
  void pagesComeUntilThereIsNone() throws Exception {
    PASSES.release(1_000_000);
    startPart();
    Reply poll;
    do {
      poll = call(NodeCalls.poll(ID));
    } while (poll instanceof Reply.Running running && !running.isMapped());
    assertThat(poll).isInstanceOf(Reply.Running.class);
    assertThat(callUntilDone(NodeCalls.page(ID)))
        .isInstanceOfSatisfying(Reply.Page.class, page -> assertThat(page.bytes()).isNotEmpty());
    assertThat(callUntilDone(NodeCalls.page(ID)))
        .isInstanceOfSatisfying(Reply.Page.class, page -> assertThat(page.bytes()).isNull());
    assertThat(callUntilDone(NodeCalls.close(ID))).isInstanceOf(Reply.Closed.class);
    assertThat(call(NodeCalls.page(ID))).isInstanceOf(Reply.Leaving.class);
  }

  /// A part that makes its pages as it is let.
  private record Held(CountDownLatch begun, CountDownLatch released) implements Part {
    @Override
    public byte[] next() {
      begun.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new CancellationException("interrupted");
      }
      throw new IllegalStateException("planted");
    }

    @Override
    public boolean awaitMapped(Duration atMost) {
      return true;
    }

    @Override
    public MapFigures figures() {
      return MapFigures.NONE;
    }

    @Override
    public void close() {}
  }

  @Test
  void aPageDoesNotKeepItsCallerWhileItIsMade() throws Exception {
    var held = new Held(new CountDownLatch(1), new CountDownLatch(1));
    var pages = new AheadPages(held);
    assertThat(pages.next()).isInstanceOf(Reply.UnderWay.class);
    held.begun().await();
    assertThat(pages.next()).isInstanceOf(Reply.UnderWay.class);
    held.released().countDown();
    assertThatThrownBy(
            () -> {
              while (pages.next() instanceof Reply.UnderWay) {
                Thread.onSpinWait();
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("planted");
  }
}
