package io.varve.grid.guard;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/// Requests of RESP: arrays of strings, each with its length before it.
///
/// An array may announce more elements than memory holds, and a string may be longer than the node
/// takes. An offset of `SETRANGE` or `SETBIT` makes a value of that length.
final class RespFrames implements FrameRule {
  /// As Redis has it.
  static final int ELEMENTS_MAX = 1 << 20;

  /// Of a string that is looked at: a command, or an offset.
  private static final int TEXT_BYTES_MAX = 20;

  private final long valueBytesMax;
  private final StringBuilder line = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  private long elementsLeft; // of the array, 0 between two
  private int element; // that comes next
  private long skipBytes; // of a string and the end of its line
  private boolean isOffset;
  private boolean writesAtOffset;
  private boolean looksAt; // the string that is skipped

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
  /// @return whether all lengths in it are allowed
  boolean step(ByteBuf bytes) {
    if (skipBytes > 0) {
      return skip(bytes);
    }
    char letter = (char) bytes.readUnsignedByte();
    if (letter == '\n') {
      return endLine();
    }
    line.append(letter);
    return line.length() <= LINE_BYTES_MAX;
  }

  @Override
  public boolean isBetween() {
    return elementsLeft == 0 && skipBytes == 0 && line.isEmpty();
  }

  private boolean endLine() {
    String content = line.toString().strip();
    line.setLength(0);
    if (content.isEmpty()) {
      return true;
    }
    if (elementsLeft == 0) {
      element = 0;
      writesAtOffset = false;
      elementsLeft = content.charAt(0) == '*' ? number(content) : 0;
      return elementsLeft <= ELEMENTS_MAX;
    }
    elementsLeft--;
    if (content.charAt(0) != '$') {
      element++; // a simple string or a number, which is its line
      return true;
    }
    long length = number(content);
    if (length > valueBytesMax) {
      return false;
    }
    isOffset = writesAtOffset && element == 2;
    looksAt = length <= TEXT_BYTES_MAX && (element == 0 || isOffset);
    text.setLength(0);
    skipBytes = length + 2;
    return true;
  }

  /// The number after the first letter of a line; more than any bound if it is none.
  private static long number(String content) {
    try {
      long number = Long.parseLong(content.substring(1));
      return number < 0 ? 0 : number;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private boolean skip(ByteBuf bytes) {
    int length = (int) Math.min(skipBytes, bytes.readableBytes());
    if (looksAt) {
      text.append(bytes.toString(bytes.readerIndex(), length, StandardCharsets.ISO_8859_1));
    }
    bytes.skipBytes(length);
    skipBytes -= length;
    return skipBytes > 0 || endString();
  }

  private boolean endString() {
    String content = looksAt ? text.toString().strip() : "";
    if (element == 0) {
      writesAtOffset = content.equalsIgnoreCase("SETRANGE") || content.equalsIgnoreCase("SETBIT");
    }
    element++;
    if (!isOffset) {
      return true;
    }
    isOffset = false;
    return number("+" + content) <= valueBytesMax; // SETBIT counts bits, so this is less
  }
}
