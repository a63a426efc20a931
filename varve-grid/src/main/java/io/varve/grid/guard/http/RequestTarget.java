package io.varve.grid.guard.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a request of HTTP is for, read as Infinispan reads it.
///
/// - TARGET-1 A path is split first, and each part is decoded then: a part may have a slash.
/// - TARGET-2 A target that Infinispan would end elsewhere than others is not taken. It begins with
///   a slash, has no `#`, and has neither `/` nor `?` in its parameters.
/// - TARGET-3 A path is UTF-8 when it is decoded. What is none would be [#UNKNOWN_LETTER], so that
///   several keys were one.
///
/// @param parts of the path, decoded, none of them empty
/// @param parameters by name, decoded
record RequestTarget(List<String> parts, Map<String, List<String>> parameters) {
  /// What Netty reads bytes that are no UTF-8 as.
  private static final char UNKNOWN_LETTER = '\uFFFD';

  /// The target of a request, or null if it is not taken.
  static @Nullable RequestTarget of(String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    String rest = query < 0 ? "" : uri.substring(query + 1);
    if (!path.startsWith("/")
        || uri.indexOf('#') >= 0
        || rest.indexOf('/') >= 0
        || rest.indexOf('?') >= 0) {
      return null; // TARGET-2
    }
    try {
      List<String> parts =
          Arrays.stream(path.split("/"))
              .filter(part -> !part.isEmpty())
              .map(QueryStringDecoder::decodeComponent) // TARGET-1
              .toList();
      if (parts.stream().anyMatch(part -> part.indexOf(UNKNOWN_LETTER) >= 0)) { // TARGET-3
        return null;
      }
      return new RequestTarget(parts, new QueryStringDecoder(uri).parameters());
    } catch (IllegalArgumentException _) { // half of an escape
      return null;
    }
  }
}
