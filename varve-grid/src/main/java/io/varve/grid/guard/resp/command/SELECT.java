package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.entry.CacheDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.Cache;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, which waits for the start of a cache: here off the event loop (REQUEST-3).
/// A command is called as its class is.
///
/// (SELECT-1) No client selects a cache of Infinispan's own. Infinispan's command takes any name,
/// so that a client could clear the roles of users, or store what is no definition among those of
/// caches.
public final class SELECT extends org.infinispan.server.resp.commands.connection.SELECT {
  private static final String NO_SUCH_CACHE = "DB index is out of range"; // as at Redis

  private static final System.Logger LOGGER = System.getLogger(SELECT.class.getName());

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    EmbeddedCacheManager caches = handler.respServer().getCacheManager();
    String name = new String(arguments.getFirst(), StandardCharsets.US_ASCII);
    if (CacheDefinition.isOfInfinispan(name)) { // SELECT-1
      handler.writer().customError(NO_SUCH_CACHE);
      return handler.myStage();
    }
    if (caches.isRunning(name)) {
      return super.perform(handler, ctx, arguments);
    }
    return CompletableFuture.supplyAsync(
            () -> started(caches, name), RequestThreads.ofCommands(ctx.channel()))
        .thenApplyAsync(
            cache -> {
              if (cache == null) {
                handler.writer().customError(NO_SUCH_CACHE);
              } else {
                select(cache, handler, ConnectionMetadata.getInstance(ctx.channel()));
                handler.writer().ok();
              }
              return handler;
            },
            ctx.channel().eventLoop());
  }

  /// Waits until a cache runs; null if there is none of that name, or it does not start.
  private static @Nullable Cache<byte[], byte[]> started(EmbeddedCacheManager caches, String name) {
    try {
      return caches.getCache(name);
    } catch (CacheException e) {
      LOGGER.log(System.Logger.Level.DEBUG, "a cache that cannot be selected: name=" + name, e);
      return null;
    }
  }

  private static void select(
      Cache<byte[], byte[]> cache, Resp3Handler handler, ConnectionMetadata connection) {
    handler.setCache(
        cache
            .getAdvancedCache()
            .withSubject(connection.subject())
            .withMediaType(MediaType.APPLICATION_OCTET_STREAM, MediaType.APPLICATION_OCTET_STREAM));
    connection.cache(cache.getName());
  }
}
