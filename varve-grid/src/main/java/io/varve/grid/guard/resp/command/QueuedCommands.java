package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Connection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.AuthResp3Command;
import org.infinispan.server.resp.commands.TransactionResp3Command;
import org.infinispan.server.resp.commands.connection.RESET;
import org.infinispan.server.resp.tx.RespTransactionHandler;
import org.infinispan.server.resp.tx.TransactionCommand;

/// The commands of a transaction of RESP until it ends.
///
/// (QUEUED-1) Together they are at most as long as one request, and count as held by the connection
/// (CONNECTION-2). One more is refused, and the transaction aborts. Infinispan keeps any number,
/// and answers each, so that it counted as done.
///
/// (QUEUED-2) They are carried out for the user that queued them: no login comes between them.
/// `RESET` ends the transaction and logs the user out, as at Redis.
final class QueuedCommands extends RespTransactionHandler {
  /// Of a command and an argument in memory, in addition to its bytes.
  private static final int COMMAND_BYTES = 64;

  private static final int ARGUMENT_BYTES = 24;

  private final Connection connection;
  private final long bytesMax;
  private long bytes;

  QueuedCommands(Resp3Handler handler, Connection connection, long bytesMax) {
    super(handler.respServer(), handler.cache());
    this.connection = connection;
    this.bytesMax = bytesMax;
  }

  @Override
  protected CompletionStage<RespRequestHandler> actualHandleRequest(
      ChannelHandlerContext ctx, RespCommand command, List<byte[]> arguments) {
    if (command instanceof RESET) {
      Resp3Handler next = respServer().newHandler(cache());
      return dropTransaction(ctx)
          .thenComposeAsync(
              _ -> next.handleRequest(ctx, command, arguments), ctx.channel().eventLoop());
    }
    if (command instanceof AuthResp3Command) { // QUEUED-2
      initializeIfNecessary(ctx);
      errorInTransactionContext();
      writer().customError(command.getName() + " is not for transactions");
      return myStage();
    }
    if (command instanceof TransactionResp3Command || keep(arguments)) {
      return super.actualHandleRequest(ctx, command, arguments);
    }
    initializeIfNecessary(ctx);
    errorInTransactionContext();
    writer().customError("the transaction would be longer than --value-max");
    return myStage();
  }

  /// Sets the cache that the commands are carried out in when the transaction ends.
  void executeIn(ExecutingCache cache) {
    setCache(cache);
  }

  private boolean keep(List<byte[]> arguments) {
    long length = COMMAND_BYTES;
    for (byte[] argument : arguments) {
      length += ARGUMENT_BYTES + argument.length;
    }
    if (bytes + length > bytesMax) {
      return false;
    }
    bytes += length;
    return connection.keep(length);
  }

  private void free() {
    connection.free(bytes);
    bytes = 0;
  }

  @Override
  public CompletionStage<?> dropTransaction(ChannelHandlerContext ctx) {
    free();
    return super.dropTransaction(ctx);
  }

  @Override
  public CompletionStage<List<TransactionCommand>> performingOperations(ChannelHandlerContext ctx) {
    free();
    return WatchedKeys.look(ctx.channel()) // WATCHED-4
        .thenCompose(_ -> super.performingOperations(ctx));
  }
}
