package io.varve.query.internal.run;

import java.math.BigDecimal;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// About how much memory values take.
final class HeldBytes {
  private static final int OBJECT_BYTES = 24;
  private static final int CHARACTER_BYTES_OFFSET = 56;
  private static final int DECIMAL_BYTES = 96;

  private HeldBytes() {}

  static long of(Collection<? extends @Nullable Object> values) {
    long bytes = OBJECT_BYTES;
    for (Object value : values) {
      bytes += Integer.BYTES + of(value);
    }
    return bytes;
  }

  static long of(@Nullable Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> CHARACTER_BYTES_OFFSET + (long) text.length();
      case BigDecimal _ -> DECIMAL_BYTES;
      case byte[] run -> OBJECT_BYTES + (long) run.length;
      case Collection<?> elements -> of(elements);
      default -> OBJECT_BYTES;
    };
  }
}
