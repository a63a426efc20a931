package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.Held;
import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/// When entries end by a policy, in milliseconds since the epoch.
///
/// A policy that fails decides nothing: a new entry has no end then, and others keep theirs.
record Expiry(ExpiryPolicy policy) {
  /// The end of a new entry; not after `nowMillis` if it ends at once.
  long ofCreation(long nowMillis) {
    return end(policy::getExpiryForCreation, nowMillis, Held.NEVER);
  }

  /// The end of an entry with a new value.
  long ofUpdate(long nowMillis, long endMillis) {
    return end(policy::getExpiryForUpdate, nowMillis, endMillis);
  }

  /// The end of an entry that was used.
  long ofAccess(long nowMillis, long endMillis) {
    return end(policy::getExpiryForAccess, nowMillis, endMillis);
  }

  private static long end(
      Supplier<@Nullable Duration> choice, long nowMillis, long otherwiseMillis) {
    Duration duration;
    try {
      duration = choice.get();
    } catch (RuntimeException e) {
      return otherwiseMillis;
    }
    if (duration == null) {
      return otherwiseMillis;
    }
    return duration.isEternal()
        ? Held.NEVER
        : after(nowMillis, duration.getTimeUnit().toMillis(duration.getDurationAmount()));
  }

  /// A time that is farther than the clock goes is none.
  private static long after(long nowMillis, long millis) {
    long end = nowMillis + millis;
    return end < nowMillis ? Held.NEVER : end;
  }
}
