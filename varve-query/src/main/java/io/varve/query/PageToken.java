package io.varve.query;

import io.varve.query.internal.expr.Sorting;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Writes where a page ends as a text: a checksum of the order and the position, then the position.
final class PageToken {
  private PageToken() {}

  static String write(List<Sorting> order, byte[] position) {
    byte[] token =
        ByteBuffer.allocate(Integer.BYTES + position.length)
            .putInt(checksum(order, position))
            .put(position)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  static byte[] read(List<Sorting> order, String token) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw foreign(token, e);
    }
    if (bytes.length >= Integer.BYTES) {
      byte[] position = Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length);
      if (ByteBuffer.wrap(bytes).getInt() == checksum(order, position)) {
        return position;
      }
    }
    throw foreign(token, null);
  }

  private static int checksum(List<Sorting> order, byte[] position) {
    var checksum = new CRC32C();
    checksum.update(order.toString().getBytes(StandardCharsets.UTF_8));
    checksum.update(position);
    return (int) checksum.getValue();
  }

  private static IllegalArgumentException foreign(String token, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "no page of this query ended there: tokenLength="
            + token.length()
            + "; continue with the order that the page had, and with its next()",
        cause);
  }
}
