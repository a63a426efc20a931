package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.Held;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;

/// When entries end by a policy, in milliseconds since the epoch.
///
/// A policy that fails decides nothing: a new entry has no end then, and others keep theirs.
record Expiry(ExpiryPolicy policy) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /// Has each entry end so long after it is set. Parts of a millisecond count as a whole one, so
  /// that nothing ends early.
  ///
  /// @throws IllegalArgumentException if the time is not above 0
  static Expiry after(java.time.Duration ttl) {
    if (!ttl.isPositive()) {
      throw new IllegalArgumentException(
          "an entry cannot live for ttl=" + ttl + "; give a time above 0, or remove the entry");
    }
    return new Expiry(new ModifiedExpiryPolicy(durationOf(ttl)));
  }

  /// A time too long for a number of milliseconds never ends.
  private static Duration durationOf(java.time.Duration ttl) {
    try {
      return new Duration(TimeUnit.MILLISECONDS, Math.ceilDiv(ttl.toNanos(), NANOS_PER_MILLI));
    } catch (ArithmeticException e) {
      return Duration.ETERNAL; // 292 years and more
    }
  }

  /// The end of a new entry; not after `nowMillis` if it ends immediately.
  long ofCreation(long nowMillis) {
    try {
      Duration duration = policy.getExpiryForCreation();
      return duration == null ? Held.NEVER : after(nowMillis, duration);
    } catch (RuntimeException e) {
      return Held.NEVER;
    }
  }

  /// The end of an entry with a new value.
  long ofUpdate(long nowMillis, long endMillis) {
    try {
      Duration duration = policy.getExpiryForUpdate();
      return duration == null ? endMillis : after(nowMillis, duration);
    } catch (RuntimeException e) {
      return endMillis;
    }
  }

  /// The end of an entry that was used. The clock is read only if the policy wants another one:
  /// most want none, and reads should cost little.
  long ofAccess(InstantSource clock, long endMillis) {
    try {
      Duration duration = policy.getExpiryForAccess();
      return duration == null ? endMillis : after(clock.millis(), duration);
    } catch (RuntimeException e) {
      return endMillis;
    }
  }

  private static long after(long nowMillis, Duration duration) {
    if (duration.isEternal()) {
      return Held.NEVER;
    }
    long end = nowMillis + duration.getTimeUnit().toMillis(duration.getDurationAmount());
    return end < nowMillis ? Held.NEVER : end; // a time that is farther than the clock goes is none
  }
}
