package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.login.Logins;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, also for a connection that has a user ([Logins]), and for a password
/// alone, which is that of the user `default` as at Redis. A command is called as its class is.
public final class AUTH extends org.infinispan.server.resp.commands.connection.AUTH {
  private static final byte[] DEFAULT_USER = "default".getBytes(US_ASCII);
  private static final int ARGUMENTS_MAX = 2; // a user and a password

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3AuthHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (arguments.size() > ARGUMENTS_MAX) {
      handler.writer().customError("syntax error");
      return handler.myStage();
    }
    List<byte[]> given =
        arguments.size() == ARGUMENTS_MAX ? arguments : List.of(DEFAULT_USER, arguments.getFirst());
    return Logins.perform(handler, ctx, given.getFirst(), () -> super.perform(handler, ctx, given));
  }
}
