package io.varve.infinispan;

import io.varve.Range;
import java.util.Arrays;

/// A key of the expiry index, whose values are empty: it records when an entry expires. Byte order
/// is the order of times, so that a purge reads what has expired and nothing else.
///
/// | offset | bytes | field | meaning                                                       |
/// |-------:|------:|-------|---------------------------------------------------------------|
/// |      0 |     8 | time  | milliseconds since 1970, above 0, big-endian                  |
/// |      8 |       | entry | the [key][EntryKey] of the entry, which expires at that time  |
final class ExpiryKey {
  static final int TIME_BYTES = 8;

  private ExpiryKey() {}

  static byte[] of(long time, byte[] entryKey) {
    byte[] key = new byte[TIME_BYTES + entryKey.length];
    putTime(key, time);
    System.arraycopy(entryKey, 0, key, TIME_BYTES, entryKey.length);
    return key;
  }

  static long time(byte[] key) {
    return (long) BigEndian.LONG.get(key, 0);
  }

  static byte[] entryKey(byte[] key) {
    return Arrays.copyOfRange(key, TIME_BYTES, key.length);
  }

  /// What has expired at `now`: times up to and with it.
  static Range until(long now) {
    byte[] end = new byte[TIME_BYTES];
    putTime(end, now + 1);
    return Range.lessThan(end);
  }

  private static void putTime(byte[] key, long time) {
    BigEndian.LONG.set(key, 0, time);
  }
}
