package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.infinispan.AdvancedCache;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Logins of connections that have a user.
///
/// (LOGIN-1) A login gives the connection the user, in the cache that it has selected, or leaves it
/// as it was. Infinispan gives a cache one user alone: a second login failed, and the connection
/// then had the rights that both users have.
final class Logins {
  /// What a client gets whose login cannot be read.
  static final String REFUSED =
      "the login is refused: send a name and its password, by a mechanism that is offered";

  private Logins() {}

  /// Carries out a command that may have a login. Called by the event loop of the connection.
  static CompletionStage<RespRequestHandler> perform(
      Resp3AuthHandler handler,
      ChannelHandlerContext ctx,
      Supplier<CompletionStage<RespRequestHandler>> command) {
    if (!(handler instanceof Resp3Handler known)) {
      return command.get(); // It has no user.
    }
    AdvancedCache<byte[], byte[]> before = known.cache();
    AdvancedCache<byte[], byte[]> ofNobody =
        CacheParts.ofNobody(known.respServer().getCacheManager(), before.getName());
    if (ofNobody == null) {
      return command.get();
    }
    known.setCache(ofNobody);
    CompletionStage<RespRequestHandler> performed;
    try {
      performed = command.get();
    } catch (RuntimeException e) {
      performed = CompletableFuture.failedFuture(e);
    }
    // A user that came in has a handler of its own. No command is read before that.
    return performed.whenCompleteAsync((_, _) -> known.setCache(before), ctx.channel().eventLoop());
  }
}
