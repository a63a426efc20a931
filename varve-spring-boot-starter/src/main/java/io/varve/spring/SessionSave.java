package io.varve.spring;

import java.util.concurrent.TimeUnit;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;

/// One save of a session: the changes of a request to the session that is stored, as one step, and
/// when the entry then ends. The end is that of the session which results: another request may have
/// given it a longer one.
///
/// - **Threads:** one save has one thread.
final class SessionSave
    implements EntryProcessor<String, MapSession, @Nullable MapSession>, ExpiryPolicy {
  private final VarveSession session;
  private Duration timeToLive = Duration.ETERNAL;

  SessionSave(VarveSession session) {
    this.session = session;
  }

  /// Changes the session unless it is gone, as after a logout by another request. One whose id was
  /// changed belongs into another entry, and this one stays as it is.
  ///
  /// @return the session with the changes; null if it is gone
  @Override
  public @Nullable MapSession process(MutableEntry<String, MapSession> entry, Object... arguments) {
    MapSession stored = entry.getValue();
    if (stored == null || stored.isExpired()) {
      return null;
    }
    session.applyTo(stored);
    endAfter(stored);
    if (stored.getId().equals(entry.getKey())) {
      entry.setValue(stored);
    }
    return stored;
  }

  /// Sets the time to live of an entry to that of its session, counted from now: a session is saved
  /// after its last access, so the entry is there as long as the session at least.
  void endAfter(MapSession saved) {
    java.time.Duration inactive = saved.getMaxInactiveInterval();
    timeToLive =
        inactive.isNegative()
            ? Duration.ETERNAL
            : new Duration(TimeUnit.MILLISECONDS, Math.max(1, inactive.toMillis()));
  }

  @Override
  public Duration getExpiryForCreation() {
    return timeToLive;
  }

  /// A read changes nothing: what was read is saved after the request, with another last access.
  @Override
  public @Nullable Duration getExpiryForAccess() {
    return null;
  }

  @Override
  public Duration getExpiryForUpdate() {
    return timeToLive;
  }
}
