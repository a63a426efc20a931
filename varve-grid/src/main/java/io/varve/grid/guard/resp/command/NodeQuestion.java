package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.guard.connection.CacheParts;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;

/// A command that asks for figures of the node, its channels, or which node has which slots.
/// Clients send it before any other: with those of a cluster, and others that look at the version,
/// no user could work that is no administrator. Infinispan shows it to none else.
///
/// (QUESTION-1) It is carried out by the node itself, for each user that has logged in. It reads no
/// entry. The cache of the user is that of the connection again before another command comes.
public final class NodeQuestion extends ReplacingCommand {
  private NodeQuestion(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "CLUSTER", "INFO", "PUBSUB" -> new NodeQuestion(command);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    AdvancedCache<byte[], byte[]> ofUser = handler.cache();
    AdvancedCache<byte[], byte[]> ofNobody =
        CacheParts.ofNobody(handler.respServer().getCacheManager(), ofUser.getName());
    if (ofNobody == null) {
      return performReplaced(handler, ctx, arguments);
    }
    handler.setCache(ofNobody);
    try {
      return AsItself.call(() -> performReplaced(handler, ctx, arguments));
    } finally {
      handler.setCache(ofUser);
    }
  }
}
