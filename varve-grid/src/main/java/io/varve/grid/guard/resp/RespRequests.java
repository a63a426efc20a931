package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.FrameRule;
import io.varve.grid.guard.connection.Peer;
import io.varve.grid.guard.connection.RareLog;
import io.varve.grid.guard.resp.format.RespArrays;
import io.varve.grid.guard.resp.format.RespFrames;
import io.varve.grid.guard.resp.format.RespWords;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Requests of RESP in flight to Infinispan's decoder. It makes arrays of commands that are lines
/// of words, which that decoder does not know.
///
/// (RESPREQUEST-1) Where a request is no RESP, or contains a length that the node does not take
/// ([RespFrames]), nothing shows where the next one begins. The requests before it are answered,
/// and then the client is sent what was wrong, as by Redis, and its connection ends (CONNECTION-7).
///
/// (RESPREQUEST-2) A line that belongs to a request of HTTP closes the connection without an
/// answer: a web page may send any body to any port, whose lines would be commands.
///
/// (RESPREQUEST-3) A line with a length is passed on when it is whole, and allowed: the decoder
/// ends the connection of a number that is too long, with some hundred lines in the log.
///
/// (RESPREQUEST-4) An array of no elements, or of less, and an empty line are passed over, as by
/// Redis: no answer follows, so their bytes are not held until one. The decoder fails at such an
/// array, and reports that in as many lines.
///
/// (PIPELINED-1) While a command waits, its connection is read so that its end is seen. What comes
/// is kept for later. Nothing is read while more than [#AHEAD_BYTES_MAX] are kept.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class RespRequests extends ChannelDuplexHandler {
  private static final int AHEAD_BYTES_MAX = 64 << 10;

  private static final String HTTP = "a request of HTTP";
  private static final String UNREADABLE =
      "a request of RESP cannot be read, or is longer than --value-max";

  private final RespFrames frames;
  private final RespArrays decoder;
  private final RareLog log;

  /// A line of words that has begun.
  private @Nullable StringBuilder line;

  private final StringBuilder held = new StringBuilder(); // a line of a length that has begun

  private boolean hasEnded; // RESPREQUEST-1

  public RespRequests(long valueBytesMax, RespArrays decoder, RareLog log) {
    this.frames = new RespFrames(valueBytesMax);
    this.decoder = decoder;
    this.log = log;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    if (hasEnded) { // TLS may have given more than one message of what was read.
      bytes.release();
      return;
    }
    int begin = bytes.readerIndex(); // of what was not passed on
    int request = begin; // or what there is of one here
    int end = begin; // of what the decoder may have
    ByteBuf at = bytes.duplicate();
    while (at.isReadable()) {
      if (frames.isBetween()) {
        request = at.readerIndex();
      }
      String fault = "";
      if (line == null && (!frames.isBetween() || at.getByte(at.readerIndex()) == '*')) {
        fault = frames.step(at) ? "" : frames.fault();
        if (!frames.isInLine() && fault.isEmpty()) {
          if (frames.isNothing()) { // RESPREQUEST-4
            pass(ctx, bytes, begin, request);
            Connection.of(ctx.channel()).passOver(at.readerIndex() - request + held.length());
            held.setLength(0);
            begin = at.readerIndex();
          }
          passHeld(ctx);
          end = at.readerIndex();
        }
      } else {
        if (line == null) {
          line = new StringBuilder();
          pass(ctx, bytes, begin, end);
        }
        fault = readLine(ctx, at);
        begin = at.readerIndex();
        end = begin;
      }
      if (!fault.isEmpty()) {
        pass(ctx, bytes, begin, request); // RESPREQUEST-1
        bytes.release();
        refuse(ctx, fault);
        return;
      }
    }
    if (begin == bytes.readerIndex() && end == bytes.writerIndex()) {
      ctx.fireChannelRead(message);
    } else {
      pass(ctx, bytes, begin, end);
      held.append(bytes.toString(end, bytes.writerIndex() - end, ISO_8859_1)); // RESPREQUEST-3
      bytes.release();
    }
  }

  private void passHeld(ChannelHandlerContext ctx) {
    if (!held.isEmpty()) {
      ctx.fireChannelRead(Unpooled.copiedBuffer(held, ISO_8859_1));
      held.setLength(0);
    }
  }

  /// PIPELINED-1
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (ctx.channel().config().isAutoRead() || decoder.bufferedBytes() <= AHEAD_BYTES_MAX) {
      ctx.read();
    }
  }

  private void refuse(ChannelHandlerContext ctx, String fault) {
    log.warn(UNREADABLE, Peer.address(ctx.channel()), "the connection was closed");
    if (fault.equals(HTTP)) {
      ctx.close(); // RESPREQUEST-2
      return;
    }
    Connection connection = Connection.of(ctx.channel());
    hasEnded = true;
    connection.endInput(() ->
        ctx.writeAndFlush(
                Unpooled.copiedBuffer("-ERR Protocol error: " + fault + "\r\n", ISO_8859_1))
            .addListener(_ -> connection.endOutput()));
  }

  private static void pass(ChannelHandlerContext ctx, ByteBuf bytes, int from, int to) {
    if (to > from) {
      ctx.fireChannelRead(bytes.retainedSlice(from, to - from));
    }
  }

  /// Reads on in a line of words, and passes it on when it is whole.
  ///
  /// @return what is wrong with it, or nothing
  private String readLine(ChannelHandlerContext ctx, ByteBuf from) {
    StringBuilder words = line == null ? new StringBuilder() : line;
    while (from.isReadable()) {
      char letter = (char) from.readUnsignedByte();
      if (letter != '\n') {
        words.append(letter);
        if (words.length() > FrameRule.LINE_BYTES_MAX) {
          return "too big inline request";
        }
        continue;
      }
      line = null;
      List<String> command = RespWords.of(words.toString());
      if (command == null) {
        return "unbalanced quotes in request";
      }
      if (isHttp(command)) {
        return HTTP;
      }
      if (command.isEmpty()) {
        Connection.of(ctx.channel()).passOver(words.length() + 1);
      } else {
        ctx.fireChannelRead(array(command));
      }
      return "";
    }
    return "";
  }

  private static boolean isHttp(List<String> words) {
    if (words.isEmpty()) {
      return false;
    }
    String first = words.getFirst().toUpperCase(Locale.ROOT);
    return first.equals("POST") || first.equals("HOST:") || words.getLast().startsWith("HTTP/");
  }

  private static ByteBuf array(List<String> words) {
    StringBuilder array = new StringBuilder("*" + words.size() + "\r\n");
    for (String word : words) {
      array.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return Unpooled.copiedBuffer(array, ISO_8859_1);
  }
}
