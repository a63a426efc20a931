package io.varve.spring;

import io.varve.cache.UnreadableEntryException;
import io.varve.cache.VarveCache;
import java.time.Duration;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;
import org.springframework.session.SessionRepository;

/// The sessions of Spring Session in a cache of Varve, which survives the process.
///
/// - **Expiry:** exact on reads: a session that was inactive for its interval is not found. Its
///   entry is removed in the background.
/// - **Requests at the same time:** each saves the attributes that it has set, as one step. What
///   changes inside of an attribute is saved if the attribute is set again.
/// - **Durability:** that of the cache, once [#save] has returned.
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveSessionRepository
    implements SessionRepository<VarveSession>, AutoCloseable {
  /// The name of the cache.
  static final String CACHE = "spring-sessions";

  private final CacheManager manager;
  private final VarveCache<String, MapSession> sessions;
  private final Duration timeout;

  /// Takes over the manager, and closes it with the repository.
  ///
  /// @param manager has a cache [#CACHE]
  /// @param timeout how long a new session may be inactive; none if negative
  @SuppressWarnings("unchecked") // it is made with these types
  VarveSessionRepository(CacheManager manager, Duration timeout) {
    this.manager = manager;
    Cache<String, MapSession> cache = manager.getCache(CACHE, String.class, MapSession.class);
    this.sessions = cache.unwrap(VarveCache.class);
    this.timeout = timeout;
  }

  @Override
  public VarveSession createSession() {
    MapSession made = new MapSession();
    made.setMaxInactiveInterval(timeout);
    return new VarveSession(made, true);
  }

  /// Saves what was changed. Nothing happens if the session is gone in the meantime.
  @Override
  public void save(VarveSession session) {
    if (session.isNew()) {
      put(session, session.whole());
    } else if (session.isChanged()) {
      SessionSave save = new SessionSave(session);
      MapSession saved = sessions.withExpiry(save).invoke(session.storedId(), save);
      if (saved != null && !saved.getId().equals(session.storedId())) {
        // In this order: a kill in between leaves the session under both ids, the former one as it
        // was before the change, and not under none.
        put(session, saved);
        sessions.remove(session.storedId());
      }
    }
    session.markSaved();
  }

  private void put(VarveSession session, MapSession whole) {
    SessionSave save = new SessionSave(session);
    save.endAfter(whole);
    sessions.withExpiry(save).put(whole.getId(), whole);
  }

  /// One that cannot be read is deleted, as after the class of an attribute has changed.
  @Override
  public @Nullable VarveSession findById(String id) {
    MapSession stored;
    try {
      stored = sessions.get(id);
    } catch (UnreadableEntryException e) {
      sessions.removeUnreadable(id);
      return null;
    }
    return stored == null || stored.isExpired() ? null : new VarveSession(stored, false);
  }

  @Override
  public void deleteById(String id) {
    sessions.remove(id);
  }

  /// How many sessions are stored, including those that have ended and are not removed yet.
  public long size() {
    return sessions.size();
  }

  /// Closes the cache; the sessions stay where they are.
  @Override
  public void close() {
    manager.close();
  }
}
