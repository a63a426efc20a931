package io.varve.grid.guard.entry;

import java.util.Base64;
import java.util.HexFormat;
import org.infinispan.commons.dataconversion.MediaType;
import org.jspecify.annotations.Nullable;

/// Content that a client sends as a text in place of its bytes, as Infinispan decodes it before it
/// converts it: as `application/x-protostream; encoding=hex`. Keys in an address are such texts.
final class CodedContent {
  private static final String HEX_PREFIX = "0x";

  private CodedContent() {}

  /// The bytes that a content stands for, or null if it is none of these texts.
  static byte @Nullable [] decoded(Object content, MediaType format) {
    String coding = format.getParameter("encoding").orElse("");
    if (content instanceof String text) {
      return decoded(text, coding);
    }
    if (content instanceof byte[] bytes && (!coding.isEmpty() || format.getClassType() != null)) {
      return decoded(new String(bytes, format.getCharset()), coding);
    }
    return null;
  }

  private static byte @Nullable [] decoded(String text, String coding) {
    try {
      if (coding.equals("base64")) {
        return Base64.getDecoder().decode(text);
      }
      return text.startsWith(HEX_PREFIX)
          ? HexFormat.of().parseHex(text, HEX_PREFIX.length(), text.length())
          : null;
    } catch (IllegalArgumentException _) {
      return null; // The conversion reports it.
    }
  }
}
