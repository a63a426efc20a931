package io.varve.internal.codec;

import io.varve.Codec;
import java.util.ArrayList;
import java.util.List;

/// Ids of codecs that are made of others: `name(part,part)`.
final class CodecIds {
  private CodecIds() {}

  /// The id of a codec made of parts; empty if a part has none, since then nothing is known of the
  /// bytes as a whole.
  static String composite(String name, List<String> parts) {
    return parts.contains("") ? "" : name + "(" + String.join(",", parts) + ")";
  }

  /// Whether the id of a composite can be taken apart again if this is the id of a part of it.
  static boolean canBePart(String id) {
    int depth = 0;
    for (int index = 0; index < id.length(); index++) {
      char next = id.charAt(index);
      depth += next == '(' ? 1 : next == ')' ? -1 : 0;
      if (depth < 0 || (depth == 0 && next == ',')) {
        return false;
      }
    }
    return depth == 0;
  }

  /// The ids of the parts of a composite of that name, or none if `id` is of no such codec.
  static List<String> partsOf(String name, String id) {
    List<String> parts = new ArrayList<>();
    String opening = name + "(";
    if (!id.startsWith(opening) || !id.endsWith(")")) {
      return parts;
    }
    int depth = 0;
    int start = opening.length();
    for (int index = start; index < id.length(); index++) {
      char next = id.charAt(index);
      if (depth == 0 && (next == ',' || index == id.length() - 1)) {
        parts.add(id.substring(start, index));
        start = index + 1;
      } else if (next == '(') {
        depth++;
      } else if (next == ')') {
        depth--;
      }
    }
    return parts;
  }

  /// Whether each of the codecs reads, as a part, what the codec of the id at its index wrote.
  static boolean eachReads(List<? extends Codec<?>> codecs, List<String> ids) {
    for (int index = 0; index < ids.size(); index++) {
      if (!Parts.reads(codecs.get(index), ids.get(index))) {
        return false;
      }
    }
    return true;
  }
}
