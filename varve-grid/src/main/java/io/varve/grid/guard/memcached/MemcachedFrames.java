package io.varve.grid.guard.memcached;

import io.netty.buffer.ByteBuf;
import io.varve.grid.guard.connection.FrameRule;
import java.util.Locale;
import java.util.regex.Pattern;

/// Requests of memcached: the binary protocol has a length in its header, the text protocol in the
/// line before a value.
public final class MemcachedFrames {
  /// The first byte of each request of the binary protocol.
  public static final int BINARY = 0x80;

  private static final int LENGTH_WORD = 4; // set KEY FLAGS EXPIRY LENGTH
  private static final int META_LENGTH_WORD = 2; // ms KEY LENGTH

  private static final Pattern SPACES = Pattern.compile(" +");

  private MemcachedFrames() {}

  /// Passes over so many bytes, or all if there are fewer.
  ///
  /// @return how many it passed over
  private static int skip(ByteBuf bytes, long count) {
    int skipped = (int) Math.min(count, bytes.readableBytes());
    bytes.skipBytes(skipped);
    return skipped;
  }

  /// The binary protocol: a header of 24 bytes, of which bytes 8 to 11 are the length that follows.
  public static final class Binary implements FrameRule {
    private static final int HEADER_BYTES = 24;
    private static final int LENGTH_AT = 8;

    private final long valueBytesMax;
    private int headerBytes; // that were seen
    private long length;
    private long skipBytes;

    public Binary(long valueBytesMax) {
      this.valueBytesMax = valueBytesMax;
    }

    @Override
    public boolean accept(ByteBuf bytes) {
      int request = bytes.readerIndex();
      while (bytes.isReadable()) {
        if (skipBytes > 0) {
          skipBytes -= skip(bytes, skipBytes);
          continue;
        }
        if (headerBytes == 0) {
          request = bytes.readerIndex();
        }
        int value = bytes.readUnsignedByte();
        if (headerBytes >= LENGTH_AT && headerBytes < LENGTH_AT + Integer.BYTES) {
          length = length << Byte.SIZE | value;
        }
        if (++headerBytes == HEADER_BYTES) {
          if (length > valueBytesMax) {
            bytes.readerIndex(request);
            return false;
          }
          skipBytes = length;
          length = 0;
          headerBytes = 0;
        }
      }
      return true;
    }

    @Override
    public String fault() {
      return "";
    }

    @Override
    public boolean isBetween() {
      return headerBytes == 0 && skipBytes == 0;
    }
  }

  /// The words of a line of the text protocol, of which the first is the command.
  static String[] words(String line) {
    return SPACES.split(line.strip(), -1);
  }

  /// Whether a line has as many words as its command needs. Of one that has not, no value follows.
  static boolean isComplete(String[] words) {
    int wordsMin =
        switch (words[0].toLowerCase(Locale.ROOT)) {
          case "" -> Integer.MAX_VALUE;
          case "set", "add", "replace", "append", "prepend" -> LENGTH_WORD + 1;
          case "cas" -> LENGTH_WORD + 2;
          case "incr", "decr", "touch", "gat", "gats" -> 3;
          case "delete" -> 2;
          default -> 1;
        };
    return words.length >= wordsMin;
  }

  /// The length of the value that follows a line of the text protocol, or -1 if none does.
  ///
  /// @throws NumberFormatException if it is none
  static long valueBytes(String[] words) {
    int word = switch (words[0].toLowerCase(Locale.ROOT)) { // Infinispan takes capital letters too.
          case "set", "add", "replace", "append", "prepend", "cas" -> LENGTH_WORD;
          case "ms" -> META_LENGTH_WORD;
          default -> 0;
        };
    if (word == 0 || words.length <= word || !isComplete(words)) {
      return -1;
    }
    long length = Long.parseLong(words[word]);
    if (length < 0) {
      throw new NumberFormatException("a length below 0");
    }
    return length;
  }

  /// The text protocol: lines, some of which state how long the value is that follows.
  public static final class Text implements FrameRule {
    private static final String BAD_LINE = "CLIENT_ERROR bad command line format\r\n";
    private static final String TOO_LARGE = "SERVER_ERROR object too large for cache\r\n";

    private final long valueBytesMax;
    private final StringBuilder line = new StringBuilder();
    private long skipBytes;
    private String fault = "";

    public Text(long valueBytesMax) {
      this.valueBytesMax = valueBytesMax;
    }

    @Override
    public boolean accept(ByteBuf bytes) {
      int request = bytes.readerIndex();
      while (bytes.isReadable()) {
        if (skipBytes > 0) {
          skipBytes -= skip(bytes, skipBytes);
          continue;
        }
        if (line.isEmpty()) {
          request = bytes.readerIndex();
        }
        if (!step((char) bytes.readUnsignedByte())) {
          bytes.readerIndex(request);
          return false;
        }
      }
      return true;
    }

    private boolean step(char letter) {
      if (letter == '\n') {
        return endLine();
      }
      line.append(letter);
      if (line.length() > LINE_BYTES_MAX) {
        fault = BAD_LINE;
        return false;
      }
      return true;
    }

    @Override
    public String fault() {
      return fault;
    }

    @Override
    public boolean isBetween() {
      return line.isEmpty() && skipBytes == 0;
    }

    private boolean endLine() {
      String[] words = words(line.toString());
      line.setLength(0);
      try {
        long length = valueBytes(words);
        skipBytes = length < 0 ? 0 : length + 2; // with the end of its line
        fault = length <= valueBytesMax ? "" : TOO_LARGE;
      } catch (NumberFormatException e) {
        fault = BAD_LINE;
      }
      return fault.isEmpty();
    }
  }
}
