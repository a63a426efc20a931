package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.factories.ComponentRegistry;
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

/// The right that a command of RESP needs, by the categories that Redis has for commands. Of one
/// connection, and used by its event loop alone.
///
/// (RIGHTS-1) A command that writes is carried out for users who may write to the cache. One that
/// reads is for users who may read it. Infinispan asks for these rights where a command calls the
/// cache. It asks for none where a function reads or changes a list, a set, a hash or a sorted set.
///
/// (RIGHTS-2) The rights of a cache are looked up once while a connection uses the cache, and not
/// for each command: its handler has another cache object after a login or `SELECT`.
public final class CommandRights {
  private @Nullable AdvancedCache<?, ?> cache; // whose rights these are

  /// Null where the cache asks for none.
  private @Nullable AuthorizationManager rights;

  /// The command itself, or one that answers that the user has not the right to it.
  ///
  /// @param handler that carries the command out, or collects it for a transaction
  public RespCommand check(
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
    AuthorizationManager asked = rights(ofCache);
    if (asked == null) {
      return command;
    }
    try {
      asked.checkPermission(ConnectionMetadata.getInstance(ctx.channel()).subject(), needed);
      return command;
    } catch (SecurityException _) {
      return new Refused(command);
    }
  }

  /// Those of the cache of a handler. RIGHTS-2
  @SuppressWarnings("ReferenceEquality") // A cache is a map, and is equal to no other.
  private @Nullable AuthorizationManager rights(CacheRespRequestHandler handler) {
    AdvancedCache<?, ?> used = handler.cache();
    if (used != cache) {
      ComponentRegistry parts =
          CacheParts.of(handler.respServer().getCacheManager(), used.getName());
      if (parts == null) {
        return null; // It does not run, and no command of it does.
      }
      rights = parts.getComponent(AuthorizationManager.class);
      cache = used;
    }
    return rights;
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
    return command.getName().equals("SORT") && storedBySort(arguments).isEmpty();
  }

  /// The keys that `SORT` may store its result in: what follows a word `STORE`.
  static List<byte[]> storedBySort(List<byte[]> arguments) {
    List<byte[]> stored = new ArrayList<>();
    for (int at = 0; at < arguments.size(); at++) {
      if (new String(arguments.get(at), US_ASCII).equalsIgnoreCase("STORE")) {
        stored.add(arguments.get(Math.min(at + 1, arguments.size() - 1)));
      }
    }
    return stored;
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
