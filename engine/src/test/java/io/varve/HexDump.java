package io.varve;

import java.util.HexFormat;

/// Bytes of a file as text that a test holds: rows of sixteen, each after its offset, rows of zeros
/// left out, and last the length.
public final class HexDump {
  private static final int ROW = 16;
  private static final int GROUP = 4;
  private static final HexFormat HEX = HexFormat.of();

  private HexDump() {}

  /// The dump of these bytes.
  public static String of(byte[] bytes) {
    StringBuilder dump = new StringBuilder();
    for (int row = 0; row < bytes.length; row += ROW) {
      int end = Math.min(row + ROW, bytes.length);
      if (!isZero(bytes, row, end)) {
        dump.append(offset(row)).append(' ');
        for (int group = row; group < end; group += GROUP) {
          dump.append(' ').append(HEX.formatHex(bytes, group, Math.min(group + GROUP, end)));
        }
        dump.append('\n');
      }
    }
    return dump.append(offset(bytes.length)).append('\n').toString();
  }

  private static String offset(int offset) {
    return HEX.toHexDigits(offset, 6);
  }

  private static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /// The bytes that a dump is of.
  public static byte[] parse(String dump) {
    String[] rows = dump.strip().split("\n");
    byte[] bytes = new byte[HexFormat.fromHexDigits(rows[rows.length - 1].strip())];
    for (int i = 0; i < rows.length - 1; i++) {
      String[] groups = rows[i].strip().split(" +");
      int at = HexFormat.fromHexDigits(groups[0]);
      for (int group = 1; group < groups.length; group++) {
        byte[] parsed = HEX.parseHex(groups[group]);
        System.arraycopy(parsed, 0, bytes, at, parsed.length);
        at += parsed.length;
      }
    }
    return bytes;
  }
}
