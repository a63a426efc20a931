package io.varve.grid.guard;

import org.infinispan.AdvancedCache;
import org.infinispan.cache.impl.AbstractDelegatingAdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.security.SecureCache;

/// The cache of a user, for the time of an `EXEC`. Infinispan's command looks at the configuration
/// of the cache, and at the parts of one that has transactions, which an administrator alone may.
///
/// (EXECUTING-1) What it asks for is answered by the node itself. Each read and write of an entry
/// is asked for by the user, as without this class: it goes to the user's own cache.
@SuppressWarnings("rawtypes") // as Infinispan has `rewrap`
final class ExecutingCache extends AbstractDelegatingAdvancedCache<byte[], byte[]> {
  private final AdvancedCache<byte[], byte[]> ofUser;
  private final ComponentRegistry parts;

  /// @param ofUser which checks the rights of the user ([SecureCache])
  ExecutingCache(AdvancedCache<byte[], byte[]> ofUser, ComponentRegistry parts) {
    super(ofUser);
    this.ofUser = ofUser;
    this.parts = parts;
  }

  /// The cache of the user.
  AdvancedCache<byte[], byte[]> ofUser() {
    return ofUser;
  }

  @Override
  public Configuration getCacheConfiguration() {
    return parts.getConfiguration();
  }

  @Override
  public ComponentRegistry getComponentRegistry() {
    return parts;
  }

  /// The cache that the one of the user calls. Infinispan puts a transaction into it, and asks
  /// [#rewrap] for the rest.
  @Override
  @SuppressWarnings("unchecked")
  public AdvancedCache<byte[], byte[]> getDelegate() {
    AdvancedCache<byte[], byte[]> unchecked = parts.getCache().running();
    return unchecked.withMediaType(
        MediaType.APPLICATION_OCTET_STREAM, MediaType.APPLICATION_OCTET_STREAM);
  }

  /// Has another cache called: the user's own in another form, or what it is to call.
  @Override
  @SuppressWarnings("unchecked")
  public AdvancedCache rewrap(AdvancedCache called) {
    AdvancedCache ofSameUser =
        called instanceof SecureCache
            ? called
            : ((AbstractDelegatingAdvancedCache) ofUser).rewrap(called);
    return new ExecutingCache(ofSameUser, parts);
  }
}
