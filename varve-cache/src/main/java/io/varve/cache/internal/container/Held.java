package io.varve.cache.internal.container;

import java.util.Arrays;

/// What a container holds for a key: a value in the form in which it is stored, and when it ends.
///
/// @param form what [ValueForm] made of the value; in pages always its bytes
/// @param expiresAtMillis since the epoch; [#NEVER] for no end
/// @param place where it was found
/// @param changes in pages [PageEntries#changes] of its key, as of before it was read; else
///   nothing. It fits into what padding would take
public record Held(Object form, long expiresAtMillis, Place place, int changes) {
  /// The end of what has none.
  public static final long NEVER = Long.MAX_VALUE;

  Held(Object form, long expiresAtMillis, Place place) {
    this(form, expiresAtMillis, place, 0);
  }

  /// Where an entry is.
  enum Place {
    /// On the heap alone.
    HEAP,
    /// On the heap, and with the same value and end in pages.
    BOTH,
    /// In pages.
    PAGES
  }

  /// Whether the value has ended by a time.
  public boolean isExpired(long nowMillis) {
    return expiresAtMillis <= nowMillis;
  }

  /// Whether this is what another look found: the same value with the same end.
  @SuppressWarnings("ReferenceEquality") // an equal object that was put since is another value
  public boolean isSameAs(Held other) {
    return expiresAtMillis == other.expiresAtMillis
        && (form == other.form
            || (form instanceof byte[] bytes
                && other.form instanceof byte[] others
                && Arrays.equals(bytes, others)));
  }

  /// The same with another end.
  public Held endingAt(long millis) {
    return new Held(form, millis, place, changes);
  }

  Held at(Place other) {
    return new Held(form, expiresAtMillis, other, changes);
  }
}
