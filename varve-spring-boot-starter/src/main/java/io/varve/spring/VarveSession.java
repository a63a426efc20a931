package io.varve.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.session.MapSession;
import org.springframework.session.Session;

/// A session as one request sees it, with what that request has changed. Only that is saved, so
/// that requests which share a session keep the changes of each other.
///
/// - **Threads:** for one request.
///
/// @since 1.0
public final class VarveSession implements Session {
  private final MapSession seen;
  private String storedId;
  private boolean isNew;
  private final Map<String, Optional<Object>> attributes = new HashMap<>(); // empty if removed
  private @Nullable Instant lastAccess;
  private @Nullable Duration maxInactive;

  /// @param seen the session as it is stored, or is to be; this object has it alone
  /// @param isNew whether it was never saved
  VarveSession(MapSession seen, boolean isNew) {
    this.seen = seen;
    this.storedId = seen.getId();
    this.isNew = isNew;
  }

  boolean isNew() {
    return isNew;
  }

  /// The id that the session has in the store.
  String storedId() {
    return storedId;
  }

  boolean isChanged() {
    return isNew
        || !attributes.isEmpty()
        || lastAccess != null
        || maxInactive != null
        || !storedId.equals(seen.getId());
  }

  /// Does to another copy of the session what was done to this one.
  void applyTo(MapSession session) {
    session.setId(seen.getId());
    attributes.forEach((name, value) -> session.setAttribute(name, value.orElse(null)));
    if (lastAccess != null && lastAccess.isAfter(session.getLastAccessedTime())) {
      session.setLastAccessedTime(lastAccess);
    }
    if (maxInactive != null) {
      session.setMaxInactiveInterval(maxInactive);
    }
  }

  /// The whole session, for one that was never saved.
  MapSession whole() {
    return seen;
  }

  /// Forgets what was changed: it is saved.
  void markSaved() {
    storedId = seen.getId();
    isNew = false;
    attributes.clear();
    lastAccess = null;
    maxInactive = null;
  }

  @Override
  public String getId() {
    return seen.getId();
  }

  @Override
  public String changeSessionId() {
    return seen.changeSessionId();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as Spring Session has it
  public <T> @Nullable T getAttribute(String attributeName) {
    return seen.getAttribute(attributeName);
  }

  @Override
  public Set<String> getAttributeNames() {
    return seen.getAttributeNames();
  }

  @Override
  public void setAttribute(String attributeName, @Nullable Object attributeValue) {
    seen.setAttribute(attributeName, attributeValue);
    attributes.put(attributeName, Optional.ofNullable(attributeValue));
  }

  @Override
  public void removeAttribute(String attributeName) {
    setAttribute(attributeName, null);
  }

  @Override
  public Instant getCreationTime() {
    return seen.getCreationTime();
  }

  @Override
  public void setLastAccessedTime(Instant lastAccessedTime) {
    seen.setLastAccessedTime(lastAccessedTime);
    lastAccess = lastAccessedTime;
  }

  @Override
  public Instant getLastAccessedTime() {
    return seen.getLastAccessedTime();
  }

  @Override
  public void setMaxInactiveInterval(Duration interval) {
    seen.setMaxInactiveInterval(interval);
    maxInactive = interval;
  }

  @Override
  public Duration getMaxInactiveInterval() {
    return seen.getMaxInactiveInterval();
  }

  @Override
  public boolean isExpired() {
    return seen.isExpired();
  }
}
