package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.resp.format.RespDoubles;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives clients the version of RESP that they speak. Infinispan writes version 3 alone; a
/// connection is at version 2 until its client asks for another by `HELLO`. Used by the event loop
/// of the connection alone.
///
/// - REPLIES-1 At version 2 nothing leaves that is not of version 2: nulls are `$-1` or `*-1`,
///   doubles and big numbers are strings, booleans numbers, sets and maps arrays.
/// - REPLIES-2 Bytes of different commands come in different writes where the shape of either is
///   not [ReplyShape#SAME] ([RespCalls]). So a shape applies to the one reply that it was given
///   for.
/// - REPLIES-3 At version 3 a double is written as Redis writes it, without a fraction that is
///   zero, in replies that have another shape. Others have no doubles, and are passed as they are.
///
/// (REPLY-3) What is not written has the bounds of CONNECTION-5: the replies of one command, or of
/// one transaction, come before the client can take any of them. One that is longer ends its
/// connection, and the command ([#hasRefused]).
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class RespReplies extends ChannelDuplexHandler {
  static final int OLD_VERSION = 2;
  static final int NEW_VERSION = 3;

  /// Indexes of values in the map of a greeting, counting keys and values.
  private static final int GREETING_VERSION = 5;

  private static final int GREETING_MODULES = 13;

  private static final int END_BYTES = 2; // of a line

  /// An array of which elements are to come.
  private static final class Level {
    final ReplyShape shape;
    long left;
    int index;
    boolean joinsPairs;

    Level(ReplyShape shape, long left) {
      this.shape = shape;
      this.left = left;
    }
  }

  private static final long UNCOUNTED_BYTES = 64 << 10; // while the connection takes replies

  private final Deque<Level> levels = new ArrayDeque<>();
  private int version = OLD_VERSION;
  private int greetedVersion = OLD_VERSION;
  private Runnable greeted = () -> {};
  private ReplyShape shape = ReplyShape.SAME;
  private List<ReplyShape> parts = List.of();
  private long skipBytes; // of a string and the end of its line
  private long pairsHeld; // elements of an array whose header waits for its first element
  private int dropDepth = Integer.MAX_VALUE; // levels from which on nothing is written
  private byte[] held = {}; // the begin of a line whose end is not there

  private @Nullable Connection counted; // once a reply was long
  private long unflushedBytes; // which TLS keeps to itself
  private boolean hasRefused;

  // While a buffer is translated.
  private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private @Nullable ByteBuf output;
  private int copied; // the offset in the input up to which the output has what is meant

  /// Whether a reply is expected that is not the same in both versions.
  boolean expectsShape() {
    return shape != ReplyShape.SAME;
  }

  int version() {
    return version;
  }

  /// Sets what the next reply is.
  ///
  /// @param ofParts the shapes of its elements, if it is that of a transaction
  void expect(ReplyShape next, List<ReplyShape> ofParts) {
    shape = next;
    parts = List.copyOf(ofParts);
  }

  /// Records that the next reply is a greeting, with which another version begins if it is none of
  /// an error.
  ///
  /// @param ofGreeting is run when that begins
  void expectGreeting(int nextVersion, Runnable ofGreeting) {
    shape = ReplyShape.GREETING;
    greetedVersion = nextVersion;
    greeted = ofGreeting;
  }

  /// Goes back to the version of a new connection.
  void reset() {
    version = OLD_VERSION;
  }

  /// Whether the connection was closed since a reply was too long.
  boolean hasRefused() {
    return hasRefused;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.write(message, promise);
    } else if (hasRefused || !takes(ctx, bytes.readableBytes())) {
      hasRefused = true;
      bytes.release();
      if (!promise.isVoid()) {
        promise.tryFailure(new ClosedChannelException());
      }
    } else {
      boolean asItIs = version == NEW_VERSION && shape == ReplyShape.SAME;
      ctx.write(asItIs ? bytes : translated(ctx.alloc(), bytes), promise);
    }
  }

  /// REPLY-3
  private boolean takes(ChannelHandlerContext ctx, int bytes) {
    unflushedBytes += bytes;
    if (unflushedBytes <= UNCOUNTED_BYTES && ctx.channel().isWritable()) {
      return true;
    }
    counted = Connection.of(ctx.channel());
    return counted.holdReplies(Math.max(unflushedBytes, unwrittenBytes(ctx) + bytes));
  }

  private static long unwrittenBytes(ChannelHandlerContext ctx) {
    ChannelOutboundBuffer unwritten = ctx.channel().unsafe().outboundBuffer();
    return unwritten == null ? 0 : unwritten.totalPendingWriteBytes();
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    ctx.flush();
    unflushedBytes = 0;
    free(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      free(ctx);
    }
    ctx.fireChannelWritabilityChanged();
  }

  private void free(ChannelHandlerContext ctx) {
    if (counted != null) {
      counted.freeReplies(Math.max(unflushedBytes, unwrittenBytes(ctx)));
    }
  }

  private ByteBuf translated(ByteBufAllocator from, ByteBuf bytes) {
    allocator = from;
    ByteBuf input = bytes;
    if (held.length > 0) {
      input = allocator.buffer(held.length + bytes.readableBytes());
      input.writeBytes(held).writeBytes(bytes);
      bytes.release();
      held = new byte[0];
    }
    copied = input.readerIndex();
    int end = input.writerIndex();
    for (int at = copied; at < end; ) {
      at = skipBytes > 0 ? skip(input, at, end) : line(input, at, end);
    }
    ByteBuf translated = output;
    if (translated == null) {
      return input;
    }
    translated.writeBytes(input, copied, end - copied);
    input.release();
    output = null;
    return translated;
  }

  private int skip(ByteBuf input, int at, int end) {
    int length = (int) Math.min(skipBytes, end - at);
    if (drops()) {
      replace(input, at, at + length, "");
    }
    skipBytes -= length;
    if (skipBytes == 0) {
      endElement();
    }
    return at + length;
  }

  /// Reads the line at an offset; gives that of what follows it.
  private int line(ByteBuf input, int at, int end) {
    int newline = input.indexOf(at, end, (byte) '\n');
    if (newline < 0) {
      held = new byte[end - at];
      input.getBytes(at, held);
      replace(input, at, end, "");
      return end;
    }
    int next = newline + 1;
    char type = (char) input.getUnsignedByte(at);
    if (pairsHeld > 0) {
      endHeld(input, at, type, next);
    }
    switch (type) {
      case '$' -> string(input, at, next);
      case '*', '~', '>' -> array(input, at, next, number(input, at + 1, next), type != '*');
      case '%' -> array(input, at, next, 2 * number(input, at + 1, next), true);
      default -> scalar(input, at, next, type);
    }
    return next;
  }

  private void string(ByteBuf input, int at, int next) {
    if (drops()) {
      replace(input, at, next, "");
    } else if (shapeHere() == ReplyShape.WORD) {
      replace(input, at, next, "+");
    }
    skipBytes = Math.max(0, number(input, at + 1, next) + END_BYTES);
    if (skipBytes < END_BYTES) { // a null
      skipBytes = 0;
      endElement();
    }
  }

  private void scalar(ByteBuf input, int at, int next, char type) {
    String text = input.toString(at + 1, next - at - 1 - END_BYTES, US_ASCII);
    if (drops()) {
      replace(input, at, next, "");
    } else if (isGreeting(GREETING_VERSION)) {
      replace(input, at, next, ":" + version + "\r\n");
    } else if (version == OLD_VERSION) {
      switch (type) {
        case '_' -> replace(input, at, next, isList() ? "*-1\r\n" : "$-1\r\n");
        case '#' -> replace(input, at, next, text.equals("t") ? ":1\r\n" : ":0\r\n");
        case ',' -> replace(input, at, next, string(RespDoubles.text(text)));
        case '(' -> replace(input, at, next, string(text));
        default -> {} // the same in both
      }
    } else if (type == ',') { // REPLIES-3
      String number = RespDoubles.text(text);
      if (!number.equals(text)) {
        replace(input, at, next, "," + number + "\r\n");
      }
    }
    endElement();
  }

  private static String string(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private void array(ByteBuf input, int at, int next, long elements, boolean isNew) {
    ReplyShape shapeHere = shapeHere();
    if (levels.isEmpty() && shape == ReplyShape.GREETING) {
      version = greetedVersion;
      greeted.run();
    }
    Level outer = levels.peek();
    if (drops() || (outer != null && outer.joinsPairs)) {
      replace(input, at, next, "");
    } else if (isGreeting(GREETING_MODULES)) {
      replace(input, at, next, "*0\r\n"); // whatever there was: none of them is offered
      dropDepth = levels.size() + 1;
    } else if (shapeHere == ReplyShape.ONE) {
      String none = version == OLD_VERSION ? "$-1\r\n" : "_\r\n";
      replace(input, at, next, elements == 0 ? none : "");
    } else if (version == NEW_VERSION && shapeHere == ReplyShape.SET) {
      replace(input, at, next, "~" + elements + "\r\n");
    } else if (version == OLD_VERSION) {
      if (shapeHere == ReplyShape.PAIRS && elements > 0) {
        pairsHeld = elements;
        replace(input, at, next, "");
      } else if (isNew) {
        replace(input, at, next, "*" + elements + "\r\n");
      }
    }
    if (elements > 0) {
      levels.push(new Level(shapeHere, elements));
    } else {
      endElement();
    }
  }

  /// Writes the header of an array that was held, now that its first element is known.
  private void endHeld(ByteBuf input, int at, char type, int next) {
    Level level = levels.element();
    level.joinsPairs = type == '*' && number(input, at + 1, next) == 2;
    replace(input, at, at, "*" + (level.joinsPairs ? 2 * pairsHeld : pairsHeld) + "\r\n");
    pairsHeld = 0;
  }

  /// The shape of the element that begins.
  private ReplyShape shapeHere() {
    Level outer = levels.peek();
    if (outer == null) {
      return shape;
    }
    return outer.shape == ReplyShape.TRANSACTION && outer.index < parts.size()
        ? parts.get(outer.index)
        : ReplyShape.SAME;
  }

  private boolean isList() {
    ReplyShape here = shapeHere();
    return here == ReplyShape.LIST || here == ReplyShape.TRANSACTION;
  }

  private boolean isGreeting(int index) {
    Level outer = levels.peek();
    return outer != null && outer.shape == ReplyShape.GREETING && outer.index == index;
  }

  private boolean drops() {
    return levels.size() >= dropDepth;
  }

  private void endElement() {
    for (Level level = levels.peek(); level != null; level = levels.peek()) {
      level.index++;
      if (--level.left > 0) {
        return;
      }
      levels.pop();
      if (levels.size() < dropDepth) {
        dropDepth = Integer.MAX_VALUE;
      }
    }
    shape = ReplyShape.SAME;
    dropDepth = Integer.MAX_VALUE;
  }

  private void replace(ByteBuf input, int from, int to, String text) {
    ByteBuf into = output;
    if (into == null) {
      into = allocator.buffer(input.readableBytes() + text.length());
      output = into;
    }
    into.writeBytes(input, copied, from - copied);
    into.writeCharSequence(text, US_ASCII);
    copied = to;
  }

  /// The number that ends with its line.
  private static long number(ByteBuf input, int from, int next) {
    long number = 0;
    boolean negative = false;
    for (int at = from; at < next - END_BYTES; at++) {
      byte digit = input.getByte(at);
      if (digit == '-') {
        negative = true;
      } else {
        number = number * 10 + digit - '0';
      }
    }
    return negative ? -number : number;
  }
}
