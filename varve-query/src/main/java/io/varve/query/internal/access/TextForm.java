package io.varve.query.internal.access;

import java.nio.charset.StandardCharsets;

/// Strings as bytes in the order of their code points: UTF-8, and four bytes for an unpaired
/// surrogate, which UTF-8 cannot write.
///
/// An unpaired high surrogate comes before all pairs that it begins, as
/// [io.varve.query.Values#compare] has it: it takes the first three bytes of the first of these
/// pairs, and then a byte lower than any continuation. Unpaired low surrogates come after all
/// pairs.
final class TextForm {
  private static final int UNPAIRED_HIGH = 0x02;
  private static final int UNPAIRED_LOW = 0xf8;
  private static final int CONTINUATION = 0x80;
  private static final int CONTINUATION_BITS = 6;

  private TextForm() {}

  static byte[] bytes(String text) {
    return unpaired(text, 0) == text.length()
        ? text.getBytes(StandardCharsets.UTF_8)
        : generalBytes(text);
  }

  /// The first unpaired surrogate from an index on, or the length.
  private static int unpaired(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!isPair(text, i)) {
          return i;
        }
        i++;
      }
    }
    return text.length();
  }

  private static boolean isPair(String text, int index) {
    return index + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
  }

  private static byte[] generalBytes(String text) {
    var sink = new ByteSink();
    int start = 0;
    while (true) {
      int unpaired = unpaired(text, start);
      sink.add(text.substring(start, unpaired).getBytes(StandardCharsets.UTF_8));
      if (unpaired == text.length()) {
        return sink.toBytes();
      }
      char unit = text.charAt(unpaired);
      if (Character.isHighSurrogate(unit)) {
        String pair = new String(new char[] {unit, Character.MIN_LOW_SURROGATE});
        sink.add(pair.getBytes(StandardCharsets.UTF_8), 0, 3).add(UNPAIRED_HIGH);
      } else {
        int low = unit - Character.MIN_LOW_SURROGATE;
        sink.add(UNPAIRED_LOW)
            .add(CONTINUATION | low >> CONTINUATION_BITS)
            .add(CONTINUATION | (low & (1 << CONTINUATION_BITS) - 1))
            .add(CONTINUATION);
      }
      start = unpaired + 1;
    }
  }

  static String text(byte[] bytes) {
    var text = new StringBuilder();
    int start = 0;
    for (int i = 0; i + 3 < bytes.length; i++) {
      int lead = bytes[i] & 0xff;
      if (lead == UNPAIRED_LOW || (lead >= 0xf0 && bytes[i + 3] == UNPAIRED_HIGH)) {
        text.append(new String(bytes, start, i - start, StandardCharsets.UTF_8));
        text.append(unpaired(bytes, i));
        start = i + 4;
        i += 3;
      }
    }
    return text.append(new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8))
        .toString();
  }

  private static char unpaired(byte[] bytes, int offset) {
    if ((bytes[offset] & 0xff) == UNPAIRED_LOW) {
      int high = bytes[offset + 1] & (1 << CONTINUATION_BITS) - 1;
      int low = bytes[offset + 2] & (1 << CONTINUATION_BITS) - 1;
      return (char) (Character.MIN_LOW_SURROGATE + (high << CONTINUATION_BITS) + low);
    }
    byte[] pair = {bytes[offset], bytes[offset + 1], bytes[offset + 2], (byte) CONTINUATION};
    return new String(pair, StandardCharsets.UTF_8).charAt(0);
  }
}
