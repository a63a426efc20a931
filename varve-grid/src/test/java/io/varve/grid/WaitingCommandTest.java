package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.infinispan.AdvancedCache;
import org.infinispan.commands.read.KeySetCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.DDAsyncInterceptor;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStarted;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStartedEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// REQUEST-3: commands of RESP that wait for a cache hold up no other connection, and those that
/// come after them on theirs are answered after them.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class WaitingCommandTest {
  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data);
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
  }

  private static void requireNoLoopWaits() {
    EventLoopGroup loops =
        AsItself.call(
            () -> GlobalComponentRegistry.of(node.caches()).getComponent(EventLoopGroup.class));
    for (EventExecutor loop : loops) {
      CompletableFuture.runAsync(() -> {}, loop).join();
    }
  }

  private static String command(String... words) {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return command.toString();
  }

  private static void send(Socket socket, String commands) throws IOException {
    socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(Socket socket, String expected) throws IOException {
    return new String(
        socket.getInputStream().readNBytes(expected.length()), StandardCharsets.US_ASCII);
  }

  /// Holds up the callers that ask for the keys of a cache.
  private static final class Holding extends DDAsyncInterceptor {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    @SuppressWarnings("rawtypes") // Infinispan's method is so
    public Object visitKeySetCommand(InvocationContext ctx, KeySetCommand command)
        throws InterruptedException {
      begun.countDown();
      released.await();
      return invokeNext(ctx, command);
    }
  }

  @Test
  void randomKeyWaitsOnNoEventLoop() throws Exception {
    AdvancedCache<byte[], byte[]> cache =
        AsItself.call(() -> node.caches().<byte[], byte[]>getCache("default").getAdvancedCache());
    var holding = new Holding();
    AsyncInterceptorChain chain = ComponentRegistry.componentOf(cache, AsyncInterceptorChain.class);
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      send(socket, command("SET", "one", "1"));
      assertThat(read(socket, "+OK\r\n")).isEqualTo("+OK\r\n");
      chain.addInterceptor(holding, 0);
      send(socket, command("RANDOMKEY") + command("PING") + command("GET", "one"));
      holding.begun.await();
      requireNoLoopWaits();
      assertThat(socket.getInputStream().available()).isZero();
      holding.released.countDown();
      String answers = "$3\r\none\r\n+PONG\r\n$1\r\n1\r\n";
      assertThat(read(socket, answers)).isEqualTo(answers);
    } finally {
      holding.released.countDown();
      chain.removeInterceptor(Holding.class);
    }
  }

  /// Holds up the start of a cache.
  @Listener
  public static final class HoldingStart {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    @CacheStarted
    public CompletionStage<Void> started(CacheStartedEvent event) {
      begun.countDown();
      return released;
    }
  }

  @Test
  void selectWaitsOnNoEventLoop() throws Exception {
    var holding = new HoldingStart();
    AsItself.run(() -> {
      node.caches().defineConfiguration("late", new ConfigurationBuilder().build());
      node.caches().addListener(holding);
    });
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      send(socket, command("SELECT", "late") + command("PING") + command("SET", "one", "1"));
      holding.begun.await();
      requireNoLoopWaits();
      assertThat(socket.getInputStream().available()).isZero();
      holding.released.complete(null);
      String answers = "+OK\r\n+PONG\r\n+OK\r\n";
      assertThat(read(socket, answers)).isEqualTo(answers);
      int size = AsItself.call(() -> node.caches().getCache("late").size());
      assertThat(size).isEqualTo(1);
      send(socket, command("SELECT", "absent"));
      String refused = "-ERR DB index is out of range\r\n";
      assertThat(read(socket, refused)).isEqualTo(refused);
    } finally {
      holding.released.complete(null);
      AsItself.run(() -> node.caches().removeListener(holding));
    }
  }
}
