package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Owing;
import io.varve.grid.guard.resp.command.BlockingCommand;
import io.varve.grid.guard.resp.command.Channels;
import io.varve.grid.guard.resp.command.CommandRights;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespDecoder;
import org.infinispan.server.resp.RespHandler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.RespServer;
import org.infinispan.server.resp.commands.TransactionResp3Command;
import org.infinispan.server.resp.commands.connection.QUIT;
import org.infinispan.server.resp.commands.connection.RESET;
import org.infinispan.server.resp.commands.tx.EXEC;
import org.infinispan.server.resp.tx.RespTransactionHandler;
import org.infinispan.server.resp.tx.TransactionContext;
import org.jspecify.annotations.Nullable;

/// Infinispan's handler of commands, which notifies [RespReplies] of what the reply to each will be
/// (REPLIES-2), and sees to the version that `HELLO` asks for.
///
/// (REPLY-1) The next command is read when its reply may be written. Infinispan reads it as soon as
/// one that took a while has ended, whether the client takes its replies or not.
///
/// (GREETING-1) `HELLO` may name the connection, which is done when it is not refused, as for a
/// wrong password. Infinispan takes no name there. One that `CLIENT SETNAME` refuses is passed
/// over.
///
/// (REPLY-2) What stopped reading is looked at again after its reply was written: at version 2 that
/// may be shorter than Infinispan wrote it, so that the connection took replies all the time. No
/// event comes then.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class RespCalls extends RespHandler implements Owing {
  private static final byte[] NEW_VERSION = {'3'};
  private static final int USER_ARGUMENTS = 3; // AUTH NAME PASSWORD
  private static final int NAME_ARGUMENTS = 2; // SETNAME NAME

  private final RespReplies replies;
  private final CommandRights rights = new CommandRights();

  /// The commands of a transaction that collects them.
  private final List<ReplyShape> queued = new ArrayList<>();

  private Connection connection;
  private @Nullable RespRequestHandler transaction;
  private boolean hasAnswered;
  private boolean hasQuit;
  private boolean blocks; // a command that waits for an element
  private ChannelHandlerContext context;

  @SuppressWarnings("NullAway") // Both are set as soon as the handler is added.
  RespCalls(RespServer server, RespDecoder decoder, RespReplies replies) {
    super(server, decoder);
    this.replies = replies;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    connection = Connection.of(ctx.channel());
    context = ctx;
    super.handlerAdded(ctx);
  }

  /// Nothing is read while a command is carried out. One that waits for an element takes none for a
  /// client that sends no more: it may have gone.
  @Override
  public boolean owesAnswers() {
    return !context.channel().config().isAutoRead() && !blocks;
  }

  @Override
  protected void handleCommandAndArguments(
      ChannelHandlerContext ctx, @Nullable RespCommand command, List<byte[]> arguments) {
    if (hasQuit) {
      return; // What a client sent after it is not carried out, as at Redis.
    }
    connection.requested();
    ReplyShape shape = command == null ? ReplyShape.SAME : shape(command, arguments);
    if (shape != ReplyShape.SAME || replies.expectsShape()) {
      writeOut(ctx);
      replies.expect(shape, shape == ReplyShape.TRANSACTION ? queued : List.of());
    }
    List<byte[]> given = arguments;
    if (shape == ReplyShape.GREETING) {
      replies.expectGreeting(version(arguments), () -> nameBy(arguments));
      given = greeting(arguments);
    } else if (command instanceof RESET) {
      writeOut(ctx);
      replies.reset();
      Channels.end(requestHandler.respServer(), ctx.channel());
    } else if (command instanceof QUIT) {
      hasQuit = true;
      given = List.of(); // Redis takes any arguments, and ends the connection whatever they are.
      writeOut(ctx);
      ctx.writeAndFlush(Unpooled.copiedBuffer("+OK\r\n", US_ASCII))
          .addListener(ChannelFutureListener.CLOSE);
    }
    if (command != null
        && requestHandler instanceof RespTransactionHandler collecting
        && !command.hasValidNumberOfArguments(arguments)) {
      collecting.errorInTransactionContext(); // Infinispan answers before it asks the transaction.
    }
    hasAnswered = false;
    super.handleCommandAndArguments(
        ctx, command == null ? null : rights.check(command, given, requestHandler, ctx), given);
    // Infinispan returns nothing for a subcommand that it does not know, and its client would wait.
    if (!hasAnswered && ctx.channel().config().isAutoRead() && !(command instanceof QUIT)) {
      requestHandler.writer().customError("unknown subcommand");
    }
    if (resumeAutoReadOnWritability) { // REPLY-2
      ctx.executor().execute(() -> resumeIfWritable(ctx)); // after the write that was queued
    } else if (command instanceof BlockingCommand<?> && !ctx.channel().config().isAutoRead()) {
      blocks = true;
      ctx.read(); // so that the end of a connection that waits is seen
      connection.lookForEnd(); // which may have come before
    }
  }

  @Override
  public void channelUnregistered(ChannelHandlerContext ctx) throws Exception {
    if (requestHandler != null) {
      Channels.end(requestHandler.respServer(), ctx.channel());
    }
    super.channelUnregistered(ctx);
  }

  /// Each of the writes that an end of the connection fails comes here, and a reset by the client.
  /// They are not reported, and have no reply.
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (replies.hasRefused() || cause instanceof IOException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  private void resumeIfWritable(ChannelHandlerContext ctx) {
    if (resumeAutoReadOnWritability && ctx.channel().isWritable()) {
      resumeAutoReadOnWritability = false;
      resumeAutoRead(ctx);
    }
  }

  @Override
  protected ByteBuf allocateBuffer(ChannelHandlerContext ctx, int size) {
    hasAnswered = true;
    if (replies.hasRefused()) { // REPLY-3
      if (outboundBuffer != null) {
        outboundBuffer.release();
        outboundBuffer = null;
      }
      if (!TransactionContext.isInTransactionContext(ctx)) {
        throw new IllegalStateException("a reply is too long, and its connection has ended");
      }
      // The commands that follow in the transaction are carried out, and RespReplies drops theirs.
    }
    return super.allocateBuffer(ctx, size);
  }

  /// REPLY-1
  @Override
  protected void resumeAutoRead(ChannelHandlerContext ctx) {
    blocks = false;
    if (ctx.channel().isWritable()) {
      super.resumeAutoRead(ctx);
    } else {
      resumeAutoReadOnWritability = true;
    }
  }

  /// The shape of the reply, which may be that a command is queued.
  private ReplyShape shape(RespCommand command, List<byte[]> arguments) {
    ReplyShape ofCommand = ReplyShape.of(command, arguments);
    if (ofCommand == ReplyShape.SCORES && replies.version() == RespReplies.OLD_VERSION) {
      ofCommand = ReplyShape.SAME; // Each double is a string there, whatever it is in.
    }
    if (!(requestHandler instanceof RespTransactionHandler)) {
      transaction = null;
      return command instanceof EXEC ? ReplyShape.SAME : ofCommand;
    }
    if (!requestHandler.equals(transaction)) {
      transaction = requestHandler;
      queued.clear();
    }
    if (command instanceof RESET) {
      return ofCommand; // It is not queued (QUEUED-2).
    }
    if (command instanceof TransactionResp3Command) {
      return command instanceof EXEC ? ReplyShape.TRANSACTION : ReplyShape.SAME;
    }
    if (command.hasValidNumberOfArguments(arguments)) {
      queued.add(ReplyShape.inTransaction(command, ofCommand));
    }
    return ReplyShape.SAME;
  }

  /// Ends the write that the replies before this one are in.
  private void writeOut(ChannelHandlerContext ctx) {
    if (outboundBuffer != null) {
      ctx.write(outboundBuffer, ctx.voidPromise());
      outboundBuffer = null;
    }
  }

  /// Writes the replies that are there, before a message of a channel is written. (CHANNELS-3)
  void writeReplies() {
    writeOut(context);
    if (resumeAutoReadOnWritability) {
      outboundBuffer = Unpooled.EMPTY_BUFFER; // Infinispan is about to write what there is.
    }
  }

  private int version(List<byte[]> arguments) {
    return arguments.isEmpty()
        ? replies.version()
        : switch (new String(arguments.getFirst(), US_ASCII)) {
          case "2" -> RespReplies.OLD_VERSION;
          case "3" -> RespReplies.NEW_VERSION;
          default -> replies.version(); // which Infinispan refuses
        };
  }

  /// What Infinispan's own `HELLO` takes: version 3, and a user or not.
  private List<byte[]> greeting(List<byte[]> arguments) {
    boolean isKnown =
        arguments.isEmpty()
            || List.of("2", "3").contains(new String(arguments.getFirst(), US_ASCII));
    List<byte[]> given = new ArrayList<>();
    given.add(isKnown ? NEW_VERSION : arguments.getFirst());
    for (int at = 1; at + NAME_ARGUMENTS <= arguments.size(); at += NAME_ARGUMENTS) {
      String word = new String(arguments.get(at), US_ASCII).toUpperCase(Locale.ROOT);
      if (word.equals("AUTH") && at + USER_ARGUMENTS <= arguments.size()) {
        if (given.size() == 1) { // One login of a request is tried.
          given.addAll(arguments.subList(at, at + USER_ARGUMENTS));
        }
        at++;
      }
    }
    return given;
  }

  /// GREETING-1
  private void nameBy(List<byte[]> arguments) {
    for (int at = 1; at + NAME_ARGUMENTS <= arguments.size(); at += NAME_ARGUMENTS) {
      String word = new String(arguments.get(at), US_ASCII).toUpperCase(Locale.ROOT);
      if (word.equals("SETNAME")) {
        CLIENT.name(context.channel(), new String(arguments.get(at + 1), UTF_8));
      } else if (word.equals("AUTH")) {
        at++;
      }
    }
  }
}
