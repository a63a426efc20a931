package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Requests of RESP in flight to Infinispan's decoder: closes a connection whose request contains a
/// length that the node does not take ([RespFrames]). It also makes arrays of commands that are
/// lines of words, which that decoder does not know.
///
/// A line that belongs to a request of HTTP closes the connection: a web page may send any body to
/// any port, whose lines would be commands.
///
/// (PIPELINED-1) While a command waits, its connection is read so that its end is seen. What comes
/// is kept for later. Nothing is read while more than [#AHEAD_BYTES_MAX] are kept.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class RespRequests extends ChannelDuplexHandler {
  private static final int AHEAD_BYTES_MAX = 64 << 10;

  private final RespFrames frames;
  private final RespArrays decoder;
  private final RareLog log;

  /// A line of words that has begun.
  private @Nullable StringBuilder line;

  RespRequests(long valueBytesMax, RespArrays decoder, RareLog log) {
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
    int begin = bytes.readerIndex(); // of what was not passed on
    ByteBuf at = bytes.duplicate();
    while (at.isReadable()) {
      if (line == null && (!frames.isBetween() || at.getByte(at.readerIndex()) == '*')) {
        if (!frames.step(at)) {
          refuse(ctx, message, "a request is longer than --value-max");
          return;
        }
        continue;
      }
      if (line == null) {
        line = new StringBuilder();
        pass(ctx, bytes, begin, at.readerIndex());
      }
      if (!readLine(ctx, at)) {
        refuse(ctx, message, "a line is no command of RESP");
        return;
      }
      begin = at.readerIndex();
    }
    if (begin == bytes.readerIndex()) {
      ctx.fireChannelRead(message);
    } else {
      pass(ctx, bytes, begin, bytes.writerIndex());
      ReferenceCountUtil.release(message);
    }
  }

  /// PIPELINED-1
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (ctx.channel().config().isAutoRead() || decoder.bufferedBytes() <= AHEAD_BYTES_MAX) {
      ctx.read();
    }
  }

  private void refuse(ChannelHandlerContext ctx, Object message, String cause) {
    ReferenceCountUtil.release(message);
    log.warn(cause, Peer.address(ctx.channel()), "the connection was closed");
    ctx.close();
  }

  private static void pass(ChannelHandlerContext ctx, ByteBuf bytes, int from, int to) {
    if (to > from) {
      ctx.fireChannelRead(bytes.retainedSlice(from, to - from));
    }
  }

  /// Reads on in a line of words, and passes it on when it is whole.
  ///
  /// @return whether it may be a command
  private boolean readLine(ChannelHandlerContext ctx, ByteBuf from) {
    StringBuilder words = line == null ? new StringBuilder() : line;
    while (from.isReadable()) {
      char letter = (char) from.readUnsignedByte();
      if (letter != '\n') {
        words.append(letter);
        if (words.length() > FrameRule.LINE_BYTES_MAX) {
          return false;
        }
        continue;
      }
      line = null;
      List<String> command = RespWords.of(words.toString());
      if (command == null || isHttp(command)) {
        return false;
      }
      if (!command.isEmpty()) {
        ctx.fireChannelRead(array(command));
      }
      return true;
    }
    return true;
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
