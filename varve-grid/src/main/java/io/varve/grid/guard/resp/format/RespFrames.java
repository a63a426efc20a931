package io.varve.grid.guard.resp.format;

import io.netty.buffer.ByteBuf;
import io.varve.grid.guard.connection.FrameRule;
import org.jspecify.annotations.Nullable;

/// Requests of RESP: arrays of strings, each with its length before it.
///
/// An array may announce more elements than memory holds, and a string may be longer than the node
/// takes. (FRAMES-1) A length has at most [#DIGITS_MAX] digits: with more, Infinispan's decoder
/// ends the connection itself.
public final class RespFrames implements FrameRule {
  /// As Redis has it.
  public static final int ELEMENTS_MAX = 1 << 20;

  /// Of a number, with its sign.
  private static final int DIGITS_MAX = 8;

  private static final int LINE_BYTES_MAX = 1 + DIGITS_MAX + 1;

  private static final int END_BYTES = 2; // of a line

  private final long valueBytesMax;
  private final StringBuilder line = new StringBuilder();

  private long elementsLeft; // of the array, 0 between two
  private long skipBytes; // of a string and the end of its line
  private boolean hasNoElements; // the array whose line was the last that ended
  private @Nullable String fault;

  public RespFrames(long valueBytesMax) {
    this.valueBytesMax = valueBytesMax;
  }

  @Override
  public boolean accept(ByteBuf bytes) {
    int request = bytes.readerIndex();
    while (bytes.isReadable()) {
      if (isBetween()) {
        request = bytes.readerIndex();
      }
      if (!step(bytes)) {
        bytes.readerIndex(request);
        return false;
      }
    }
    return true;
  }

  /// Looks at a byte of a line, or at what is there of a string: no more than the end of a request.
  ///
  /// @return whether it is RESP, and all lengths in it are allowed; [#fault] is why not
  public boolean step(ByteBuf bytes) {
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
  public boolean isInLine() {
    return !line.isEmpty();
  }

  /// Whether the line that has just ended is an array of no elements, or less: it asks for nothing.
  public boolean isNothing() {
    return hasNoElements && isBetween();
  }

  /// What was wrong with the bytes that were not accepted, in the words of Redis.
  @Override
  public String fault() {
    return fault == null ? "" : fault;
  }

  private boolean refuse(String why) {
    fault = why;
    return false;
  }

  private boolean endLine() {
    int last = line.length() - 1;
    boolean ends = last > 0 && line.charAt(last) == '\r';
    char first = line.isEmpty() ? '\r' : line.charAt(0);
    long number = ends ? number(line, last) : Long.MAX_VALUE;
    line.setLength(0);
    hasNoElements = elementsLeft == 0 && number <= 0;
    if (elementsLeft == 0) {
      elementsLeft = Math.max(0, number);
      return number <= ELEMENTS_MAX || refuse("invalid multibulk length");
    }
    if (first != '$') {
      return refuse("expected '$', got '" + (first > ' ' && first <= '~' ? first : '?') + "'");
    }
    if (number < 0 || number > valueBytesMax) {
      return refuse("invalid bulk length");
    }
    elementsLeft--;
    skipBytes = number + END_BYTES;
    return true;
  }

  /// The number between the first letter of a line and its end, as Redis reads it; more than any
  /// bound if it is none.
  private static long number(StringBuilder line, int end) {
    int begin = line.charAt(1) == '-' ? 2 : 1;
    boolean isLong = end - 1 > DIGITS_MAX;
    boolean hasZeroFirst = line.charAt(begin) == '0' && end > 2;
    if (end == begin || isLong || hasZeroFirst) {
      return Long.MAX_VALUE;
    }
    long number = 0;
    for (int at = begin; at < end; at++) {
      int digit = line.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return Long.MAX_VALUE;
      }
      number = 10 * number + digit;
    }
    return begin == 1 ? number : -number;
  }
}
