package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.security.AuthorizationManager;
import org.infinispan.security.AuthorizationPermission;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.CacheRespRequestHandler;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// The right that a command of RESP needs, by the categories that Redis has for commands.
///
/// (RIGHTS-1) A command that writes is carried out for users who may write to the cache. One that
/// reads is for users who may read it. Infinispan asks for these rights where a command calls the
/// cache. It asks for none where a function reads or changes a list, a set, a hash or a sorted set.
final class CommandRights {
  private CommandRights() {}

  /// The command itself, or one that answers that the user has not the right to it.
  ///
  /// @param handler that carries the command out, or collects it for a transaction
  static RespCommand check(
      RespCommand command,
      List<byte[]> arguments,
      RespRequestHandler handler,
      ChannelHandlerContext ctx) {
    AuthorizationPermission needed = needed(command, arguments);
    if (needed == null
        || !(handler instanceof CacheRespRequestHandler ofCache)
        || (handler instanceof Resp3AuthHandler login && !login.isAuthorized())) {
      return command; // Before a login Infinispan refuses it.
    }
    AuthorizationManager rights = rights(ofCache);
    if (rights == null) {
      return command;
    }
    try {
      rights.checkPermission(ConnectionMetadata.getInstance(ctx.channel()).subject(), needed);
      return command;
    } catch (SecurityException _) {
      return new Refused(command);
    }
  }

  /// Those of a cache.
  private static @Nullable AuthorizationManager rights(CacheRespRequestHandler handler) {
    ComponentRegistry cache =
        AsItself.call(() -> GlobalComponentRegistry.of(handler.respServer().getCacheManager()))
            .getNamedComponentRegistry(handler.cache().getName());
    return cache == null ? null : cache.getComponent(AuthorizationManager.class);
  }

  private static @Nullable AuthorizationPermission needed(
      RespCommand command, List<byte[]> arguments) {
    if (isOf(command, AclCategory.WRITE) && !isSortAlone(command, arguments)) {
      return AuthorizationPermission.WRITE;
    }
    return isOf(command, AclCategory.READ) || isOf(command, AclCategory.WRITE)
        ? AuthorizationPermission.READ
        : null;
  }

  private static boolean isOf(RespCommand command, AclCategory category) {
    return (command.aclMask() & category.mask()) != 0;
  }

  /// `SORT` writes where it has the word `STORE`.
  private static boolean isSortAlone(RespCommand command, List<byte[]> arguments) {
    return command.getName().equals("SORT")
        && arguments.stream()
            .noneMatch(word -> new String(word, US_ASCII).equalsIgnoreCase("STORE"));
  }

  private static final class Refused extends ReplacingCommand {
    Refused(RespCommand command) {
      super(command);
    }

    @Override
    public CompletionStage<RespRequestHandler> perform(
        Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
      handler.writer().unauthorized();
      return handler.myStage();
    }
  }
}
