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

  /// Requests that begin with bytes of a known form, which state how many follow.
  abstract static class Stated implements FrameRule {
    private long skipBytes; // that follow the form and were not seen

    /// Whether the next byte is the first of a request.
    abstract boolean isAtStart();

    /// Takes a byte of the form.
    ///
    /// @return false if the request is refused
    abstract boolean step(int value);

    /// Has so many bytes passed over, as the form has ended.
    void follow(long bytes) {
      skipBytes = bytes;
    }

    @Override
    public final boolean accept(ByteBuf bytes) {
      int request = bytes.readerIndex();
      while (bytes.isReadable()) {
        if (skipBytes > 0) {
          int skipped = (int) Math.min(skipBytes, bytes.readableBytes());
          bytes.skipBytes(skipped);
          skipBytes -= skipped;
          continue;
        }
        if (isAtStart()) {
          request = bytes.readerIndex();
        }
        if (!step(bytes.readUnsignedByte())) {
          bytes.readerIndex(request);
          return false;
        }
      }
      return true;
    }

    @Override
    public final boolean isBetween() {
      return isAtStart() && skipBytes == 0;
    }
  }

  /// The binary protocol: a header of 24 bytes, of which bytes 8 to 11 are the length that follows.
  public static final class Binary extends Stated {
    private static final int HEADER_BYTES = 24;
    private static final int LENGTH_AT = 8;

    private final long valueBytesMax;
    private int headerBytes; // that were seen
    private long length;

    public Binary(long valueBytesMax) {
      this.valueBytesMax = valueBytesMax;
    }

    @Override
    boolean isAtStart() {
      return headerBytes == 0;
    }

    @Override
    boolean step(int value) {
      if (headerBytes >= LENGTH_AT && headerBytes < LENGTH_AT + Integer.BYTES) {
        length = length << Byte.SIZE | value;
      }
      if (++headerBytes == HEADER_BYTES) {
        if (length > valueBytesMax) {
          return false;
        }
        follow(length);
        length = 0;
        headerBytes = 0;
      }
      return true;
    }

    @Override
    public String fault() {
      return "";
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
  public static final class Text extends Stated {
    private static final String BAD_LINE = "CLIENT_ERROR bad command line format\r\n";
    private static final String TOO_LARGE = "SERVER_ERROR object too large for cache\r\n";

    private final long valueBytesMax;
    private final StringBuilder line = new StringBuilder();
    private String fault = "";

    public Text(long valueBytesMax) {
      this.valueBytesMax = valueBytesMax;
    }

    @Override
    boolean isAtStart() {
      return line.isEmpty();
    }

    @Override
    boolean step(int value) {
      if (value == '\n') {
        return endLine();
      }
      line.append((char) value);
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

    private boolean endLine() {
      String[] words = words(line.toString());
      line.setLength(0);
      try {
        long length = valueBytes(words);
        follow(length < 0 ? 0 : length + 2); // with the end of its line
        fault = length <= valueBytesMax ? "" : TOO_LARGE;
      } catch (NumberFormatException e) {
        fault = BAD_LINE;
      }
      return fault.isEmpty();
    }
  }
}
