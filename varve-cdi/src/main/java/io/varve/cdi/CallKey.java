package io.varve.cdi;

import java.io.Serial;
import java.util.Arrays;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;

/// The key of a call: its parameters. It has equal bytes in every JVM if each of them has: so what
/// a call has put is found by later processes. It holds no hash, which an enum has another one of
/// in each JVM.
final class CallKey implements GeneratedCacheKey {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable Object[] parameters;

  /// @param parameters is kept
  CallKey(@Nullable Object[] parameters) {
    this.parameters = parameters;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallKey key && Arrays.deepEquals(parameters, key.parameters);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(parameters);
  }

  @Override
  public String toString() {
    return Arrays.deepToString(parameters);
  }
}
