package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.Commands;
import org.infinispan.server.resp.serialization.Resp3Type;

/// Infinispan's command, which has the names of commands in capitals. A command is called as its
/// class is.
///
/// (COMMAND-1) The names are in small letters, as those of Redis: clients look commands up by them.
/// `LIST` answers names alone, where Infinispan describes each command.
final class COMMAND extends org.infinispan.server.resp.commands.connection.COMMAND {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    String word =
        arguments.isEmpty()
            ? "INFO"
            : new String(arguments.getFirst(), US_ASCII).toUpperCase(Locale.ROOT);
    if (word.equals("INFO")) {
      ByteBuf reply = KeptReply.of(handler, () -> super.perform(handler, ctx, arguments));
      String described = reply.toString(US_ASCII).toLowerCase(Locale.ROOT);
      ctx.channel()
          .attr(RespRequestHandler.BYTE_BUF_POOL_ATTRIBUTE_KEY)
          .get()
          .acquire(described.length())
          .writeCharSequence(described, US_ASCII);
    } else if (word.equals("LIST") && arguments.size() == 1) {
      List<String> names =
          Commands.all().stream()
              .map(RespCommand::getName)
              .map(name -> name.toLowerCase(Locale.ROOT))
              .toList();
      handler.writer().array(names, Resp3Type.BULK_STRING);
    } else {
      return super.perform(handler, ctx, arguments);
    }
    return handler.myStage();
  }
}
