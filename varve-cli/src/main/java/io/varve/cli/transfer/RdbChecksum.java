package io.varve.cli.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.moilioncircle.redis.replicator.io.RawByteListener;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The checksum of an RDB file: a CRC-64 of all bytes before its last eight, which are that number
/// in little-endian order. Redis writes zero where it is set to make none, and versions before 5
/// have none.
///
/// For the thread that reads.
final class RdbChecksum implements RawByteListener {
  /// The polynomial of Jones, with its bits reversed as Redis takes them.
  private static final long POLYNOMIAL = Long.reverse(0xad93d23594c935a9L);

  private static final long[] TABLE = table();
  private static final int VERSION_START = 5;
  private static final int VERSION_END = 9;
  private static final int VERSION_MIN = 5;

  private final byte[] start = new byte[VERSION_END];

  /// The last bytes, each at its offset in the file modulo eight.
  private final byte[] last = new byte[Long.BYTES];

  private long count;
  private long crc;

  private static long[] table() {
    long[] table = new long[1 << Byte.SIZE];
    for (int i = 0; i < table.length; i++) {
      long crc = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
      }
      table[i] = crc;
    }
    return table;
  }

  @Override
  public void handle(byte... bytes) {
    for (byte b : bytes) {
      int at = (int) (count % last.length);
      if (count >= last.length) {
        crc = TABLE[(int) (crc ^ last[at]) & 0xff] ^ (crc >>> Byte.SIZE);
      }
      if (count < start.length) {
        start[(int) count] = b;
      }
      last[at] = b;
      count++;
    }
  }

  /// What is wrong after the last byte of the file, or null.
  @Nullable String problem() {
    String version = new String(start, VERSION_START, VERSION_END - VERSION_START, US_ASCII);
    if (Integer.parseInt(version) < VERSION_MIN) {
      return null;
    }
    var end = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < last.length; i++) {
      end.put(i, last[(int) ((count + i) % last.length)]);
    }
    long written = end.getLong(0);
    return written == 0 || written == crc
        ? null
        : "its checksum is wrong: written=0x%016x, found=0x%016x".formatted(written, crc)
            + "; the file is damaged, and so may be what was loaded of it: take another copy";
  }
}
