package io.varve.grid.guard.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.security.Security;
import org.infinispan.server.core.ProtocolServer;
import org.infinispan.server.core.configuration.SaslAuthenticationConfiguration;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.memcached.configuration.MemcachedAuthenticationConfiguration;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// Logins of connections that have a user.
///
/// (LOGIN-1) A login gives the connection the user, in the cache that it has selected, or leaves it
/// as it was. Infinispan gives a cache one user alone: a second login failed, and the connection
/// then had the rights that both users have.
public final class Logins {
  /// What a client gets whose login fails.
  public static final String REFUSED =
      "the login is refused: send a name and its password, by a mechanism that is offered";

  /// Needs the password itself, of which a node has hashes alone.
  private static final String OF_CLEAR_PASSWORDS = "CRAM-MD5";

  private Logins() {}

  /// Takes the mechanism that cannot work out of those that servers offer.
  public static void withhold(Collection<ProtocolServer<?>> servers) {
    for (ProtocolServer<?> server : servers) {
      switch (server.getConfiguration().authentication()) {
        case SaslAuthenticationConfiguration hotRod ->
            hotRod.sasl().mechanisms().remove(OF_CLEAR_PASSWORDS);
        case MemcachedAuthenticationConfiguration memcached ->
            memcached.sasl().mechanisms().remove(OF_CLEAR_PASSWORDS);
        case null, default -> {} // It has no mechanisms of that kind.
      }
    }
  }

  /// What a client gets whose login has failed by something.
  public static String refusal(Throwable failure) {
    return CompletableFutures.extractException(failure) instanceof LoginTurns.TooMany tooMany
        ? String.valueOf(tooMany.getMessage())
        : REFUSED;
  }

  /// Carries out a command that has a login, when it is its turn. Called by the event loop of the
  /// connection.
  public static CompletionStage<RespRequestHandler> perform(
      Resp3AuthHandler handler,
      ChannelHandlerContext ctx,
      byte[] name,
      Supplier<CompletionStage<RespRequestHandler>> command) {
    ConnectionMetadata connection = ConnectionMetadata.getInstance(ctx.channel());
    Subject before = connection.subject();
    return LoginGate.of(ctx.channel())
        .login(
            ctx.channel(),
            LoginProtocol.RESP,
            new String(name, UTF_8),
            () -> performNow(handler, ctx, command),
            _ -> outcome(before, connection.subject()),
            _ -> Security.getSubjectUserPrincipalName(connection.subject()))
        .exceptionallyComposeAsync(
            failure -> {
              if (CompletableFutures.extractException(failure)
                  instanceof LoginTurns.TooMany tooMany) {
                handler.writer().customError(String.valueOf(tooMany.getMessage()));
                return CompletableFuture.completedFuture(handler);
              }
              return CompletableFuture.failedFuture(failure);
            },
            ctx.channel().eventLoop());
  }

  /// A command may have ended well without a login, as `HELLO` of a version that is not known: it
  /// compares no password.
  @SuppressWarnings("ReferenceEquality") // The same user may log in again.
  private static LoginTurns.Outcome outcome(@Nullable Subject before, @Nullable Subject after) {
    return before == after ? LoginTurns.Outcome.OPEN : LoginTurns.Outcome.RIGHT;
  }

  private static CompletionStage<RespRequestHandler> performNow(
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
