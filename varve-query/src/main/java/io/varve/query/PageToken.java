package io.varve.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Writes where a page ends as a text: a checksum of the query and the position, then the position.
final class PageToken {
  private PageToken() {}

  static String write(String query, byte[] position) {
    byte[] token =
        ByteBuffer.allocate(Integer.BYTES + position.length)
            .putInt(checksum(query, position))
            .put(position)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  static byte[] read(String query, String token) {
    Objects.requireNonNull(token, "token");
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw foreign(token, e);
    }
    if (bytes.length >= Integer.BYTES) {
      byte[] position = Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length);
      if (ByteBuffer.wrap(bytes).getInt() == checksum(query, position)) {
        return position;
      }
    }
    throw foreign(token, null);
  }

  private static int checksum(String query, byte[] position) {
    var checksum = new CRC32C();
    checksum.update(query.getBytes(StandardCharsets.UTF_8));
    checksum.update(position);
    return (int) checksum.getValue();
  }

  private static IllegalArgumentException foreign(String token, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "no page of this query ended there: tokenLength="
            + token.length()
            + "; continue with the order that the page had, of the same table and condition, by its"
            + " next()",
        cause);
  }
}
