package io.varve.query.internal.access;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Writes byte strings of any length so that their order stays and none begins another.
///
/// - (RUN-1) A string ends with a byte 0. The bytes 0 and 1 inside of it are written as two.
/// - (RUN-2) Of a string longer than the bound, the first bytes are written. Then come a mark that
///   follows the end of any string, and a [Digest] of the whole. So strings that were cut come
///   after the one that is equal up to there, and before any that differs; only among strings with
///   the same beginning the order is lost.
final class RunForm {
  private static final int END = 0;
  private static final int ESCAPE = 1;
  private static final int ESCAPED_ZERO = 1;
  private static final int CUT = 3;
  private static final long EACH_BYTE_1 = 0x0101010101010101L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RunForm() {}

  /// Writes a string.
  ///
  /// @return how many bytes the sink has up to the digest, if the string was cut, or -1
  static int write(byte[] run, int runBytesMax, ByteSink sink) {
    if (run.length <= runBytesMax) {
      writeBytes(run, run.length, sink);
      sink.add(END);
      return -1;
    }
    return writeCut(run, runBytesMax, Digest.of(run), sink);
  }

  /// Writes the beginning of a string as that of one that was cut.
  ///
  /// @return how many bytes the sink has up to the digest
  static int writeCut(byte[] run, int count, byte[] digest, ByteSink sink) {
    writeBytes(run, count, sink);
    sink.add(ESCAPE).add(CUT);
    int cutLength = sink.length();
    sink.add(digest);
    return cutLength;
  }

  private static void writeBytes(byte[] run, int count, ByteSink sink) {
    int plain = 0; // what comes before it is written
    int i = 0;
    while (i < count) {
      if (count - i >= Long.BYTES && isPlain((long) LONG.get(run, i))) {
        i += Long.BYTES;
        continue;
      }
      int end = Math.min(count, i + Long.BYTES);
      for (; i < end; i++) {
        byte value = run[i];
        if (value == 0 || value == 1) {
          sink.add(run, plain, i - plain).add(ESCAPE).add(value + ESCAPED_ZERO);
          plain = i + 1;
        }
      }
    }
    sink.add(run, plain, count - plain);
  }

  /// Whether none of eight bytes is 0 or 1: without its lowest bit, none is 0 (Warren: Hacker's
  /// Delight, section 6-1).
  private static boolean isPlain(long word) {
    long high = word & ~EACH_BYTE_1;
    return (high - EACH_BYTE_1 & ~high & EACH_BYTE_1 << 7) == 0;
  }

  static void skip(PartReader reader) {
    while (true) {
      int value = reader.next();
      if (value == END) {
        return;
      }
      if (value == ESCAPE && reader.next() == CUT) {
        reader.noteCut();
        reader.skip(Digest.BYTES);
        return;
      }
    }
  }

  /// Reads a string, or the beginning of one that was cut.
  static byte[] read(PartReader reader) {
    var run = new ByteArrayOutputStream();
    while (true) {
      int value = reader.next();
      if (value == END) {
        return run.toByteArray();
      }
      if (value == ESCAPE) {
        int escaped = reader.next();
        if (escaped == CUT) {
          reader.noteCut();
          reader.skip(Digest.BYTES);
          return run.toByteArray();
        }
        value = escaped - ESCAPED_ZERO;
      }
      run.write(value);
    }
  }
}
