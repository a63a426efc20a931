package io.varve.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Values of any length from [#VALUE_BYTES_MIN] that are a function of record and version, so that
/// every answer of a store can be checked.
///
/// | offset | bytes | field   | meaning                                               |
/// |-------:|------:|---------|-------------------------------------------------------|
/// |      0 |     8 | version | how many times the record was written before          |
/// |      8 |     * | filling | 64-bit numbers from a seed of both, in constant steps |
/// |      * |   0-7 | tail    | the low byte of the next number, repeated             |
///
/// Steps, not hashes: checking should cost little compared with what is measured.
public final class Values {
  /// The least length of a value: its version.
  public static final int VALUE_BYTES_MIN = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private Values() {}

  /// Fills `target` with the value of that version of the record.
  public static void fill(byte[] target, long record, long version) {
    LONG.set(target, 0, version);
    long number = seed(record, version);
    int offset = Long.BYTES;
    for (; offset <= target.length - Long.BYTES; offset += Long.BYTES) {
      LONG.set(target, offset, number);
      number += STEP;
    }
    for (; offset < target.length; offset++) {
      target[offset] = (byte) number;
    }
  }

  /// Checks all of a value.
  ///
  /// @return its version
  /// @throws WrongAnswerException if no version of the record has this value
  public static long check(byte[] value, int length, long record) {
    if (length < VALUE_BYTES_MIN) {
      throw new WrongAnswerException("value too short: record=" + record + ", length=" + length);
    }
    long version = (long) LONG.get(value, 0);
    long number = seed(record, version);
    int offset = Long.BYTES;
    for (; offset <= length - Long.BYTES; offset += Long.BYTES) {
      if ((long) LONG.get(value, offset) != number) {
        throw wrong(record, version, offset);
      }
      number += STEP;
    }
    for (; offset < length; offset++) {
      if (value[offset] != (byte) number) {
        throw wrong(record, version, offset);
      }
    }
    return version;
  }

  private static long seed(long record, long version) {
    return Mixer.mix(record * STEP + version + 1);
  }

  private static WrongAnswerException wrong(long record, long version, int offset) {
    return new WrongAnswerException(
        "wrong bytes in a value: record=" + record + ", version=" + version + ", offset=" + offset);
  }
}
