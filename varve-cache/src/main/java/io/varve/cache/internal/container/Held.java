package io.varve.cache.internal.container;

/// What a container holds for a key: a value in the form in which it is stored, and when it ends.
///
/// @param form what [ValueForm] made of the value
/// @param expiresAtMillis since the epoch; [#NEVER] for no end
public record Held(Object form, long expiresAtMillis) {
  /// The end of what has none.
  public static final long NEVER = Long.MAX_VALUE;

  /// Whether the value has ended by a time.
  public boolean isExpired(long nowMillis) {
    return expiresAtMillis <= nowMillis;
  }

  Held until(long millis) {
    return new Held(form, millis);
  }
}
