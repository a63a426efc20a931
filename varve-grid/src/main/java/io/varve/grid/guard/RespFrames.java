package io.varve.grid.guard;

import io.netty.buffer.ByteBuf;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Requests of RESP: arrays of strings, each with its length before it.
///
/// An array may announce more elements than memory holds, and a string may be longer than the node
/// takes. (FRAMES-1) A length has at most [#DIGITS_MAX] digits, with which Infinispan's decoder
/// ends a connection itself.
final class RespFrames implements FrameRule {
  /// As Redis has it.
  static final int ELEMENTS_MAX = 1 << 20;

  /// Of a number, with its sign.
  private static final int DIGITS_MAX = 8;

  private static final int LINE_BYTES_MAX = 1 + DIGITS_MAX + 1;

  private static final int END_BYTES = 2; // of a line

  private static final Pattern NUMBER = Pattern.compile("0|-?[1-9][0-9]*");

  private final long valueBytesMax;
  private final StringBuilder line = new StringBuilder();

  private long elementsLeft; // of the array, 0 between two
  private long skipBytes; // of a string and the end of its line
  private @Nullable String fault;

  RespFrames(long valueBytesMax) {
    this.valueBytesMax = valueBytesMax;
  }

  @Override
  public boolean accept(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (!step(bytes)) {
        return false;
      }
    }
    return true;
  }

  /// Looks at a byte of a line, or at what is there of a string: no more than the end of a request.
  ///
  /// @return whether it is RESP, and all lengths in it are allowed; [#fault] is why not
  boolean step(ByteBuf bytes) {
    if (skipBytes > 0) {
      int length = (int) Math.min(skipBytes, bytes.readableBytes());
      bytes.skipBytes(length);
      skipBytes -= length;
      return true;
    }
    char letter = (char) bytes.readUnsignedByte();
    if (letter == '\n') {
      return endLine();
    }
    line.append(letter);
    return line.length() <= LINE_BYTES_MAX || endLine();
  }

  @Override
  public boolean isBetween() {
    return elementsLeft == 0 && skipBytes == 0 && line.isEmpty();
  }

  /// Whether a line has begun that has not ended.
  boolean isInLine() {
    return !line.isEmpty();
  }

  /// What was wrong with the bytes that were not accepted, in the words of Redis.
  String fault() {
    return fault == null ? "" : fault;
  }

  private boolean refuse(String why) {
    fault = why;
    return false;
  }

  private boolean endLine() {
    boolean ends = line.length() > 1 && line.charAt(line.length() - 1) == '\r';
    String content = line.substring(0, Math.max(0, line.length() - 1));
    line.setLength(0);
    if (elementsLeft == 0) {
      long elements = ends ? number(content) : Long.MAX_VALUE;
      elementsLeft = Math.max(0, elements);
      return elements <= ELEMENTS_MAX || refuse("invalid multibulk length");
    }
    if (!content.startsWith("$")) {
      return refuse("expected '$', got '" + printed(content) + "'");
    }
    long bytes = ends ? number(content) : Long.MAX_VALUE;
    if (bytes < 0 || bytes > valueBytesMax) {
      return refuse("invalid bulk length");
    }
    elementsLeft--;
    skipBytes = bytes + END_BYTES;
    return true;
  }

  /// The first letter of a line, as an answer that is a line may have it.
  private static char printed(String content) {
    char first = content.isEmpty() ? ' ' : content.charAt(0);
    return first > ' ' && first <= '~' ? first : '?';
  }

  /// The number after the first letter of a line, as Redis reads it; more than any bound if it is
  /// none.
  private static long number(String content) {
    String number = content.substring(1);
    return number.length() <= DIGITS_MAX && NUMBER.matcher(number).matches()
        ? Long.parseLong(number)
        : Long.MAX_VALUE;
  }
}
