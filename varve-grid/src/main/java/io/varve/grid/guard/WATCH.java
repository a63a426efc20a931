package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
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
/// converter, for which they would be made something else. A command is called as its class is.
final class WATCH extends org.infinispan.server.resp.commands.tx.WATCH {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    var listener = new TxKeysListener(arguments.size());
    CompletionStage<Void> watched =
        cache
            .withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored)
            .addListenerAsync(listener, new EventListenerKeysFilter(arguments.stream()), null)
            .thenAccept(_ -> {
              register(ctx, listener);
              ClientMetadata clients = handler.respServer().metadataRepository().client();
              clients.incrementWatchingClients();
              clients.recordWatchedKeys(arguments.size());
            });
    return handler.stageToReturn(watched, ctx, ResponseWriter.OK);
  }
}
