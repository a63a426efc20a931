package io.varve.grid.guard;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.filter.EventListenerKeysFilter;
import org.infinispan.server.resp.meta.ClientMetadata;
import org.jspecify.annotations.Nullable;

/// A client of RESP that waits until something can be taken of some keys. Safe for threads.
///
/// - BLOCKED-2 It waits until then, the end of its time, or that of its connection. Its listener is
///   removed from the cache in each case.
/// - BLOCKED-3 One look at the keys is under way at a time. Each change is followed by a look that
///   began after it.
/// - BLOCKED-4 The end of its time does not end a look. So what that takes is answered.
/// - BLOCKED-5 A look that follows a change of a transaction begins after it. So a client is not
///   given what the transaction removes, by this process.
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a listener
final class BlockedClient<T> {
  private final Supplier<CompletionStage<@Nullable T>> take;
  private final CompletableFuture<@Nullable T> result = new CompletableFuture<>();

  private boolean isLooking; // guarded by this, and true for good after the end
  private boolean looksAgain; // guarded by this
  private boolean ends; // guarded by this

  private BlockedClient(Supplier<CompletionStage<@Nullable T>> take) {
    this.take = take;
  }

  /// Notifies a client of changes. Infinispan asks for a public class.
  @Listener(clustered = true)
  public static final class Changes {
    private final Runnable look;

    private Changes(Runnable look) {
      this.look = look;
    }

    /// Called by Infinispan.
    @CacheEntryCreated
    @CacheEntryModified
    public void changed(CacheEntryEvent<Object, Object> event) {
      if (!(event.getValue() instanceof byte[])) { // In a string there is nothing to take.
        look.run();
      }
    }
  }

  /// Waits for something to take.
  ///
  /// @param timeoutMillis 0 for no end
  /// @param take gives null if there is nothing
  /// @return what was taken, or null at the end of the time or of the connection
  static <T> CompletionStage<@Nullable T> wait(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> keys,
      long timeoutMillis,
      Supplier<CompletionStage<@Nullable T>> take) {
    var client = new BlockedClient<T>(take);
    client.listen(handler, keys);
    client.count(handler.respServer().metadataRepository().client(), keys.size());
    ChannelFutureListener closed = _ -> client.end();
    ctx.channel().closeFuture().addListener(closed);
    client.result.whenComplete((_, _) -> ctx.channel().closeFuture().removeListener(closed));
    if (timeoutMillis > 0) {
      Future<?> timer = ctx.executor().schedule(client::end, timeoutMillis, TimeUnit.MILLISECONDS);
      client.result.whenComplete((_, _) -> timer.cancel(false));
    }
    return client.result;
  }

  private void listen(Resp3Handler handler, List<byte[]> keys) {
    MediaType stored = handler.cache().getValueDataConversion().getStorageMediaType();
    AdvancedCache<byte[], Object> cache =
        handler.cache().withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored);
    var changes = new Changes(this::lookLater);
    cache
        .addListenerAsync(changes, new EventListenerKeysFilter(keys.stream()), null)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else {
            result.whenComplete((_, _) -> cache.removeListenerAsync(changes)); // BLOCKED-2
            lookLater(); // What changed before it listened is seen by no listener.
          }
        });
  }

  private void count(ClientMetadata clients, int keys) {
    clients.incrementBlockedClients();
    clients.recordBlockedKeys(keys);
    result.whenComplete((_, _) -> {
      clients.decrementBlockedClients();
      clients.recordBlockedKeys(-keys);
    });
  }

  /// BLOCKED-5
  private void lookLater() {
    RunningTransactions.after(this::look);
  }

  /// BLOCKED-3
  private void look() {
    synchronized (this) {
      if (isLooking) {
        looksAgain = true;
        return;
      }
      isLooking = true;
    }
    takeNext();
  }

  private void takeNext() {
    taken()
        .whenComplete((taken, failure) -> {
          if (taken != null) {
            result.complete(taken);
          } else if (failure != null) {
            result.completeExceptionally(failure);
          } else if (continues()) {
            takeNext();
          }
        });
  }

  private CompletionStage<@Nullable T> taken() {
    try {
      return take.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Ends a look that took nothing, and the client if its time has ended.
  ///
  /// @return whether there is to be another
  private boolean continues() {
    synchronized (this) {
      if (ends) {
        looksAgain = false;
      } else if (looksAgain) {
        looksAgain = false;
        return true;
      } else {
        isLooking = false;
        return false;
      }
    }
    result.complete(null);
    return false;
  }

  private void end() {
    synchronized (this) {
      ends = true;
      if (isLooking) { // BLOCKED-4
        return;
      }
      isLooking = true;
    }
    result.complete(null);
  }
}
