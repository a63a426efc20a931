package io.varve.grid.guard.resp.command;

import java.util.Collection;
import org.infinispan.AdvancedCache;
import org.infinispan.cache.impl.AbstractDelegatingAdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.context.Flag;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.security.SecureCache;

/// The cache of a user, for the time of an `EXEC`. Infinispan's command looks at the configuration
/// of the cache, and at the parts of one that has transactions, which an administrator alone may.
///
/// (EXECUTING-1) What it asks for is answered by the node itself. Each read and write of an entry
/// is asked for by the user, as without this class: it goes to the user's own cache.
///
/// (EXECUTING-2) Once a transaction was put into what is called, each form of this cache calls
/// that. What reads or changes a list, a set, a hash or a sorted set looks for the transaction
/// there.
@SuppressWarnings("rawtypes") // as Infinispan has `rewrap`
final class ExecutingCache extends AbstractDelegatingAdvancedCache<byte[], byte[]> {
  private final AdvancedCache<byte[], byte[]> ofUser;
  private final AdvancedCache<byte[], byte[]> called; // by the one of the user
  private final ComponentRegistry parts;

  /// @param ofUser which checks the rights of the user ([SecureCache])
  @SuppressWarnings("unchecked")
  ExecutingCache(AdvancedCache<byte[], byte[]> ofUser, ComponentRegistry parts) {
    this(
        ofUser,
        ((AdvancedCache<byte[], byte[]>) parts.getCache().running())
            .withMediaType(MediaType.APPLICATION_OCTET_STREAM, MediaType.APPLICATION_OCTET_STREAM),
        parts);
  }

  private ExecutingCache(
      AdvancedCache<byte[], byte[]> ofUser,
      AdvancedCache<byte[], byte[]> called,
      ComponentRegistry parts) {
    super(ofUser);
    this.ofUser = ofUser;
    this.called = called;
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
  /// [#rewrap] for the rest (EXECUTING-2).
  @Override
  public AdvancedCache<byte[], byte[]> getDelegate() {
    return called;
  }

  @Override
  @SuppressWarnings("unchecked") // Infinispan has no type for what it converts to.
  public <K, V> AdvancedCache<K, V> withMediaType(MediaType key, MediaType value) {
    return (AdvancedCache)
        new ExecutingCache(
            ofUser.withMediaType(key, value), called.withMediaType(key, value), parts);
  }

  @Override
  public AdvancedCache<byte[], byte[]> withFlags(Flag flag) {
    return new ExecutingCache(ofUser.withFlags(flag), called.withFlags(flag), parts);
  }

  @Override
  public AdvancedCache<byte[], byte[]> withFlags(Flag... flags) {
    return new ExecutingCache(ofUser.withFlags(flags), called.withFlags(flags), parts);
  }

  @Override
  public AdvancedCache<byte[], byte[]> withFlags(Collection<Flag> flags) {
    return new ExecutingCache(ofUser.withFlags(flags), called.withFlags(flags), parts);
  }

  /// Has another cache called: the user's own in another form, or what it is to call.
  @Override
  @SuppressWarnings("unchecked")
  public AdvancedCache rewrap(AdvancedCache other) {
    return other instanceof SecureCache
        ? new ExecutingCache(other, called, parts)
        : new ExecutingCache(
            ((AbstractDelegatingAdvancedCache) ofUser).rewrap(other), other, parts);
  }
}
