package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.filter.EventListenerKeysFilter;
import org.infinispan.server.resp.meta.ClientMetadata;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, for all types. Its own listens to the cache as one of bytes: the value of
/// a list, set or hash is none, and cannot be made one for the listener. So the write of another
/// client to a watched key failed. This command listens to values as they are stored, with no
/// converter, for which they would be made something else. Its listeners end as [WatchedKeys]
/// states, which also sees what has expired. A command is called as its class is.
public final class WATCH extends org.infinispan.server.resp.commands.tx.WATCH {
  /// Infinispan's own, which has its name in the class that this one extends.
  private static final AttributeKey<List<TxKeysListener>> LISTENERS =
      AttributeKey.valueOf("watchers");

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    ClientMetadata clients = handler.respServer().metadataRepository().client();
    WatchedKeys watches = WatchedKeys.of(ctx.channel(), LISTENERS, clients);
    if (ctx.channel().attr(LISTENERS).get() == null) {
      watches.clear(); // WATCHED-1
    }
    if (watches.isFull()) { // WATCHED-2
      handler.writer().customError("too many WATCH before EXEC: name more keys in each");
      return handler.myStage();
    }
    if (!watches.takes(arguments.size())) {
      handler
          .writer()
          .customError("too many keys to watch: max=" + WatchedKeys.KEYS_MAX + "; watch fewer");
      return handler.myStage();
    }
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    var listener = new TxKeysListener(arguments.size());
    AdvancedCache<byte[], Object> values =
        cache.withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored);
    List<byte[]> keys = List.copyOf(arguments);
    // Read first, so that what has expired before is not seen by the listener (WATCHED-4).
    CompletionStage<Void> watched =
        WatchedKeys.expiring(values, keys)
            .thenCompose(expiring ->
                values
                    .addListenerAsync(listener, new EventListenerKeysFilter(keys.stream()), null)
                    .thenAccept(_ ->
                        watches.add(
                            new WatchedKeys.Watch(values, listener, expiring),
                            () -> {
                              register(ctx, listener);
                              clients.incrementWatchingClients();
                              clients.recordWatchedKeys(keys.size());
                            })));
    return handler.stageToReturn(watched, ctx, ResponseWriter.OK);
  }
}
