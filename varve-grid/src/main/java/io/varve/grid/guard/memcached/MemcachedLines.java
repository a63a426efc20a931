package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.varve.grid.guard.connection.Connection;
import org.jspecify.annotations.Nullable;

/// Lines of memcached's text protocol that Infinispan does not take, as those that it does.
///
/// (MEMCACHED-10) `delete` takes a 0 after the key, as old clients send it. A time of expiry before
/// now, which clients write as a number below 0, has the item expire. (MEMCACHED-11) A value that
/// does not end where its line states ends the connection, before anything is stored. Infinispan
/// stores a part of it, and takes the rest for commands. (MEMCACHED-12) The value of a line that is
/// refused is dropped. Infinispan, and memcached, take it for commands. (MEMCACHED-13) A line
/// without some of its words is answered `ERROR`, as an empty one is. Infinispan waits for them, or
/// takes the next line for them. So is `verbosity`, which a node does not have. A line may end
/// without a carriage return, and have several spaces.
final class MemcachedLines extends ChannelInboundHandlerAdapter {
  /// The shortest time of the clock, long over: what is shorter is a number of seconds from now.
  private static final String LONG_OVER = "2592001";

  /// What follows a command in a line that Infinispan refuses with one answer, and reads whole.
  private static final String REFUSED = " k x";

  /// A command that there is not, for a line that is answered `ERROR`.
  private static final String UNKNOWN = "unknown";

  private static final int KEY_BYTES_MAX = 250;
  private static final long NUMBER_MAX = 0xFFFF_FFFFL;
  private static final int DIGITS_MAX = 10;
  private static final int KEY = 1;
  private static final int FLAGS = 2;
  private static final int VALUE_EXPIRY = 3; // set KEY FLAGS EXPIRY LENGTH
  private static final int TOUCH_EXPIRY = 2; // touch KEY EXPIRY
  private static final int GAT_EXPIRY = 1; // gat EXPIRY KEY

  /// The begin of a line whose end has not come.
  private ByteBuf held = Unpooled.EMPTY_BUFFER;

  private long valueBytes; // that are still to come
  private int endBytes; // of the end of a value that are still to come
  private boolean drops; // the value that is still to come
  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf read)) {
      ctx.fireChannelRead(message);
      return;
    }
    ByteBuf bytes = Unpooled.wrappedBuffer(held, read);
    held = Unpooled.EMPTY_BUFFER;
    try {
      follow(ctx, bytes);
    } finally {
      bytes.release();
    }
  }

  private void follow(ChannelHandlerContext ctx, ByteBuf bytes) {
    int passed = bytes.readerIndex();
    while (bytes.isReadable() && !refused) {
      if (valueBytes > 0 || endBytes > 0) {
        if (!skipValue(bytes)) {
          refused = true;
          Connection.of(ctx.channel()).refuse("a value of memcached is not as long as it states");
        } else if (drops) {
          passed = bytes.readerIndex();
        }
        continue;
      }
      int begin = bytes.readerIndex();
      int length = bytes.bytesBefore((byte) '\n');
      if (length < 0) {
        held = bytes.copy();
        bytes.skipBytes(bytes.readableBytes());
        pass(ctx, bytes, passed, begin);
        return;
      }
      String line = bytes.toString(begin, length, ISO_8859_1);
      bytes.skipBytes(length + 1);
      String taken = taken(line);
      if (taken != null) {
        pass(ctx, bytes, passed, begin);
        ctx.fireChannelRead(Unpooled.copiedBuffer(taken + "\r\n", ISO_8859_1));
        passed = bytes.readerIndex();
      }
    }
    if (!refused) {
      pass(ctx, bytes, passed, bytes.readerIndex());
    }
  }

  private static void pass(ChannelHandlerContext ctx, ByteBuf bytes, int from, int to) {
    if (from < to) {
      ctx.fireChannelRead(bytes.retainedSlice(from, to - from));
    }
  }

  /// Whether what ends the value is its end. (MEMCACHED-11)
  private boolean skipValue(ByteBuf bytes) {
    int skipped = (int) Math.min(valueBytes, bytes.readableBytes());
    bytes.skipBytes(skipped);
    valueBytes -= skipped;
    while (valueBytes == 0 && endBytes > 0 && bytes.isReadable()) {
      if (bytes.readByte() != (endBytes == 2 ? '\r' : '\n')) {
        return false;
      }
      endBytes--;
    }
    return true;
  }

  /// Follows a line, and gives the one that is to be read instead, or null if it stays.
  private @Nullable String taken(String line) {
    drops = false;
    boolean isPlain = line.endsWith("\r") && !line.contains("  ");
    if (isPlain && line.startsWith("get")) {
      return null; // the most frequent one
    }
    String[] words = MemcachedFrames.words(line);
    if (!MemcachedFrames.isComplete(words) || words[0].equalsIgnoreCase("verbosity")) {
      return UNKNOWN; // MEMCACHED-13
    }
    announce(MemcachedFrames.valueBytes(words));
    int expiry =
        switch (words[0]) {
          case "set", "add", "replace", "append", "prepend", "cas" -> VALUE_EXPIRY;
          case "touch" -> TOUCH_EXPIRY;
          case "gat", "gats" -> GAT_EXPIRY;
          default -> 0;
        };
    boolean isChanged = !isPlain;
    if (expiry > 0 && words.length > expiry && isBelowZero(words[expiry])) {
      words[expiry] = LONG_OVER;
      isChanged = true;
    } else if (words[0].equals("delete") && words.length > 2 && words[2].equals("0")) {
      words[2] = "";
      isChanged = true;
    }
    if (expiry == VALUE_EXPIRY && endBytes > 0 && !isTaken(words)) {
      drops = true;
      return words[0] + REFUSED;
    }
    return isChanged ? String.join(" ", words).strip().replace("  ", " ") : null;
  }

  /// Whether a line that a value follows is one that Infinispan does not refuse.
  private static boolean isTaken(String[] words) {
    return words[KEY].length() <= KEY_BYTES_MAX
        && isNumber(words[FLAGS])
        && isNumber(words[VALUE_EXPIRY]);
  }

  private static boolean isNumber(String word) {
    return word.length() <= DIGITS_MAX && isDigits(word) && Long.parseLong(word) <= NUMBER_MAX;
  }

  private static boolean isBelowZero(String word) {
    return word.startsWith("-") && isDigits(word.substring(1));
  }

  private static boolean isDigits(String word) {
    return !word.isEmpty() && word.chars().allMatch(letter -> letter >= '0' && letter <= '9');
  }

  private void announce(long length) {
    if (length >= 0) {
      valueBytes = length;
      endBytes = 2;
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    held.release();
    held = Unpooled.EMPTY_BUFFER;
  }
}
