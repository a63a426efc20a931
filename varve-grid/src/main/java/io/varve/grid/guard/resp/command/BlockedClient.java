package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import io.varve.grid.guard.connection.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespUtil;
import org.infinispan.server.resp.filter.EventListenerKeysFilter;
import org.infinispan.server.resp.meta.ClientMetadata;
import org.jspecify.annotations.Nullable;

/// A client of RESP that waits until something can be taken of some keys. Safe for threads.
///
/// - BLOCKED-2 It waits until then, the end of its time, or that of its connection. Its listener is
///   removed from the cache in each case, and it is offered nothing more ([BlockedKeys]).
/// - BLOCKED-11 Nor is one whose output has ended, which is before its connection ends
///   (CONNECTION-8): it has gone, as a rule.
/// - BLOCKED-3 It takes from one key at a time.
/// - BLOCKED-4 The end of its time does not end a look. So what that takes is answered.
/// - BLOCKED-5 A look that follows a change of a transaction begins after it. So a client is not
///   given what the transaction removes, by this process.
/// - BLOCKED-10 It is counted once its first look has found nothing. So what others begin when they
///   see it in `INFO` comes after that look.
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a listener
final class BlockedClient<T> implements BlockedKeys.Client {
  private static final AtomicLong NUMBERS = new AtomicLong();

  /// What a client wants.
  ///
  /// @param number by which those that wait are in order
  /// @param timeoutMillis 0 for no end
  /// @param movesTo the keys that it adds to what it takes
  /// @param take takes something from a key, null if there is nothing
  record Wanted<T>(
      long number,
      BlockedKeys.Kind kind,
      List<byte[]> keys,
      long timeoutMillis,
      List<byte[]> movesTo,
      Function<byte[], CompletionStage<@Nullable T>> take) {
    Wanted(
        BlockedKeys.Kind kind,
        List<byte[]> keys,
        long timeoutMillis,
        List<byte[]> movesTo,
        Function<byte[], CompletionStage<@Nullable T>> take) {
      this(NUMBERS.incrementAndGet(), kind, keys, timeoutMillis, movesTo, take);
    }
  }

  private final String cacheName;
  private final Wanted<T> wanted;
  private final CompletableFuture<@Nullable T> result = new CompletableFuture<>();

  private volatile boolean gone; // BLOCKED-11; written by the event loop, read by any thread

  /// The end of the look that is the last one for now.
  private CompletionStage<?> looks = CompletableFuture.completedFuture(null); // guarded by this

  private BlockedClient(String cacheName, Wanted<T> wanted) {
    this.cacheName = cacheName;
    this.wanted = wanted;
  }

  /// Notifies a client of changes. Infinispan asks for a public class.
  @Listener(clustered = true)
  public static final class Changes {
    private final Consumer<byte[]> changed;

    private Changes(Consumer<byte[]> changed) {
      this.changed = changed;
    }

    /// Called by Infinispan.
    @CacheEntryCreated
    @CacheEntryModified
    public void changed(CacheEntryEvent<Object, Object> event) {
      if (!(event.getValue() instanceof byte[])) { // In a string there is nothing to take.
        Object key = event.getKey();
        changed.accept(key instanceof WrappedByteArray array ? array.getBytes() : (byte[]) key);
      }
    }
  }

  /// Waits for something to take.
  ///
  /// @return what was taken, or null at the end of the time or of the connection
  static <T> CompletionStage<@Nullable T> wait(
      Resp3Handler handler, ChannelHandlerContext ctx, Wanted<T> wanted) {
    var client = new BlockedClient<T>(handler.cache().getName(), wanted);
    BlockedKeys.add(client.cacheName, wanted.keys, client);
    client.result.whenComplete(
        (_, _) -> BlockedKeys.remove(client.cacheName, wanted.keys, client)); // BLOCKED-2
    client.listen(handler);
    ChannelFutureListener closed = _ -> client.end();
    ctx.channel().closeFuture().addListener(closed);
    ChannelFuture inputEnd = Connection.of(ctx.channel()).inputEnd();
    ChannelFutureListener left = _ -> client.gone = true;
    inputEnd.addListener(left);
    client.result.whenComplete((_, _) -> {
      ctx.channel().closeFuture().removeListener(closed);
      inputEnd.removeListener(left);
    });
    if (wanted.timeoutMillis > 0) {
      Future<?> timer =
          ctx.executor().schedule(client::end, wanted.timeoutMillis, TimeUnit.MILLISECONDS);
      client.result.whenComplete((_, _) -> timer.cancel(false));
    }
    return client.result;
  }

  private void listen(Resp3Handler handler) {
    MediaType stored = handler.cache().getValueDataConversion().getStorageMediaType();
    AdvancedCache<byte[], Object> cache =
        handler.cache().withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored);
    var changes = new Changes(key -> BlockedKeys.changed(cacheName, key));
    cache
        .addListenerAsync(changes, new EventListenerKeysFilter(wanted.keys.stream()), null)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else {
            result.whenComplete((_, _) -> cache.removeListenerAsync(changes)); // BLOCKED-2
            ClientMetadata clients = handler.respServer().metadataRepository().client();
            // What changed before it listened is seen by no listener. BLOCKED-5
            RunningTransactions.after(this, () -> serve().thenRun(() -> count(clients)));
          }
        });
  }

  private CompletionStage<Void> serve() {
    return CompletionStages.performSequentially(
        wanted.keys.iterator(),
        key ->
            result.isDone()
                ? CompletableFuture.completedFuture(null)
                : BlockedKeys.serve(cacheName, key));
  }

  /// Counts the client now that its first look has ended (BLOCKED-10), unless it waits no more.
  private void count(ClientMetadata clients) {
    if (result.isDone()) {
      return;
    }
    int keys = wanted.keys.size();
    clients.incrementBlockedClients();
    clients.recordBlockedKeys(keys);
    result.whenComplete((_, _) -> {
      clients.decrementBlockedClients();
      clients.recordBlockedKeys(-keys);
    });
  }

  @Override
  public long number() {
    return wanted.number;
  }

  @Override
  public BlockedKeys.Kind kind() {
    return wanted.kind;
  }

  @Override
  public List<byte[]> movesTo() {
    return wanted.movesTo;
  }

  /// Has the client take from a key, after what it is doing.
  @Override
  public synchronized CompletionStage<Boolean> offer(byte[] key) {
    CompletionStage<Boolean> look =
        looks.thenCompose(_ ->
            result.isDone() || gone
                ? CompletableFuture.completedFuture(true)
                : taken(key).handle((taken, failure) -> found(taken, failure)));
    looks = look; // BLOCKED-3
    return look;
  }

  private CompletionStage<@Nullable T> taken(byte[] key) {
    try {
      return wanted.take.apply(key);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private boolean found(@Nullable T taken, @Nullable Throwable failure) {
    if (taken != null) {
      result.complete(taken);
    } else if (failure == null || RespUtil.isWrongTypeError(failure)) {
      return false; // A key of another type has nothing.
    } else {
      result.completeExceptionally(failure);
    }
    return true;
  }

  /// BLOCKED-4
  private synchronized void end() {
    looks = looks.thenRun(() -> result.complete(null));
  }
}
