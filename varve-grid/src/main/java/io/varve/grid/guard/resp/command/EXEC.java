package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.security.SecureCache;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.tx.RespTransactionHandler;

/// Infinispan's command, during which no client that waits for a list is given what the transaction
/// may still remove ([RunningTransactions]). With users it is for each of them (EXECUTING-1): every
/// queued command was asked for its own right (RIGHTS-1). A command is called as its class is.
///
/// (EXEC-1) It ends the transaction, also where it fails. A connection that stayed in it would have
/// its next commands queued. Where its cache was removed since, the connection ends.
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a connection
public final class EXEC extends org.infinispan.server.resp.commands.tx.EXEC {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      RespTransactionHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    Runnable end = RunningTransactions.begin();
    CompletionStage<RespRequestHandler> performed;
    try {
      if (handler instanceof QueuedCommands queued && cache instanceof SecureCache) {
        ComponentRegistry parts =
            CacheParts.of(handler.respServer().getCacheManager(), cache.getName());
        if (parts != null) {
          queued.executeIn(new ExecutingCache(cache, parts));
        }
      }
      performed = super.perform(handler, ctx, arguments);
    } catch (RuntimeException | Error e) {
      performed = CompletableFuture.failedFuture(e);
    }
    return performed.handleAsync(
        (next, failure) -> {
          end.run();
          if (failure == null) {
            return ofUser(next);
          }
          return failed(handler, cache, failure, ctx);
        },
        ctx.channel().eventLoop());
  }

  /// EXEC-1
  private static RespRequestHandler failed(
      RespTransactionHandler handler,
      AdvancedCache<byte[], byte[]> cache,
      Throwable failure,
      ChannelHandlerContext ctx) {
    Resp3Handler next;
    try {
      next = handler.respServer().newHandler(cache);
    } catch (RuntimeException _) {
      ctx.close(); // A cache that does not run has no handler.
      return handler;
    }
    handler.writer().error(failure);
    return next;
  }

  /// Gives the connection the cache of its user again, unless a command has selected another.
  private static RespRequestHandler ofUser(RespRequestHandler next) {
    if (next instanceof Resp3Handler handler
        && handler.cache() instanceof ExecutingCache executing) {
      handler.setCache(executing.ofUser());
    }
    return next;
  }
}
