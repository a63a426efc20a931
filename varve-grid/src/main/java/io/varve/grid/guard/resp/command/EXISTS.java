package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, for users who may read. Its own touches the entries, for which it needs
/// the right to write; at Redis it touches none. A command is called as its class is.
public final class EXISTS extends org.infinispan.server.resp.commands.generic.EXISTS {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    CompletionStage<Long> count =
        CompletionStages.performSequentially(
            List.copyOf(arguments).iterator(),
            cache::containsKeyAsync,
            Collectors.filtering(isThere -> isThere, Collectors.counting()));
    return handler.stageToReturn(count, ctx, ResponseWriter.INTEGER);
  }
}
