package org.infinispan.factories.scopes;

/// Seen by the compiler alone, never compiled into anything: classes of Infinispan are annotated
/// with these, and the jar that has them is not published.
public enum Scopes {
  GLOBAL,
  NAMED_CACHE,
  NONE,
  SERVER
}
