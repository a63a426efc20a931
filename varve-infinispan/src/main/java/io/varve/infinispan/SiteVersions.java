package io.varve.infinispan;

import io.varve.Cursor;
import io.varve.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.infinispan.Cache;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.container.versioning.irac.IracEntryVersion;
import org.infinispan.container.versioning.irac.IracVersionGenerator;
import org.infinispan.container.versioning.irac.TopologyIracVersion;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.metadata.impl.IracMetadata;
import org.infinispan.metadata.impl.PrivateMetadata;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.CacheManagerNotifier;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStarted;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStartedEvent;
import org.infinispan.persistence.spi.InitializationContext;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.util.ByteString;

/// Gives a cache that is backed up to other sites the versions again that its writes continue from.
///
/// Each write has a version, by which the other sites know that it is newer than what they have.
/// Infinispan counts versions by segment in memory, and writes the counts to a file when the cache
/// stops. After a kill it begins again. Then a write that has not read its entry gets a version
/// that other sites take for an old one: they drop it, and the sites stay different.
///
/// - SITES-1 The count of a segment is as high as the version of any entry in it. So it is after a
///   session that did not end with a stop.
/// - SITES-2 Versions of what was removed are not kept. What the site writes from then on is
///   counted from a higher topology. So it is newer than what the site removed of keys that no
///   other site wrote.
///
/// Public since Infinispan calls it as a listener.
@Listener
public final class SiteVersions {
  /// More than topologies that a cache has in one run of the site.
  private static final int TOPOLOGIES_AHEAD = 1_000;

  /// Entries that are read between two reports.
  private static final int REPORTED_ENTRIES = 1_000;

  private final CacheManagerNotifier notifier;
  private final ComponentRegistry components;
  private final Map<Integer, IracEntryVersion> bySegment;
  private final int segments;

  private SiteVersions(
      CacheManagerNotifier notifier,
      ComponentRegistry components,
      Map<Integer, IracEntryVersion> bySegment,
      int segments) {
    this.notifier = notifier;
    this.components = components;
    this.bySegment = bySegment;
    this.segments = segments;
  }

  /// Reads the versions of all entries, if the cache has other sites and does not know them. Then
  /// the cache takes them at the end of its start.
  ///
  /// @param reading notified of the entries that were read since its last call
  static void restore(
      CacheEntries entries,
      StoreSession session,
      InitializationContext context,
      LongConsumer reading) {
    Cache<?, ?> cache = context.getCache();
    Configuration configuration = cache.getCacheConfiguration();
    boolean isKept =
        session.afterStop() && context.getGlobalConfiguration().globalState().enabled();
    if (isKept
        || session.previous() == null
        || configuration.sites().asyncBackupsStream().findAny().isEmpty()) {
      return;
    }
    ComponentRegistry components = ComponentRegistry.of(cache);
    CacheManagerNotifier notifier = components.getComponent(CacheManagerNotifier.class);
    notifier.addListener(
        new SiteVersions(
            notifier,
            components,
            read(entries, context.getMarshallableEntryFactory(), reading),
            configuration.clustering().hash().numSegments()));
  }

  private static Map<Integer, IracEntryVersion> read(
      CacheEntries entries, MarshallableEntryFactory<?, ?> factory, LongConsumer reading) {
    Map<Integer, IracEntryVersion> bySegment = new HashMap<>();
    int read = 0;
    // Those that have expired have versions as well, and at this time none has.
    try (EntryScan scan = entries.scan(List.of(Range.all()), /* now= */ 0)) {
      for (Cursor cursor = scan.next(); cursor != null; cursor = scan.next()) {
        byte[] key = cursor.key();
        ByteBuffer marshalled = EntryKey.marshalled(key);
        PrivateMetadata internal =
            EntryValue.readHead(cursor)
                .entryWithoutValue(marshalled, factory)
                .getInternalMetadata();
        IracMetadata metadata = internal == null ? null : internal.iracMetadata();
        if (metadata != null) {
          bySegment.merge(EntryKey.segment(key), metadata.getVersion(), IracEntryVersion::merge);
        }
        if (++read % REPORTED_ENTRIES == 0) {
          reading.accept(REPORTED_ENTRIES);
        }
      }
    }
    return bySegment;
  }

  /// Has the cache count on from the versions.
  @CacheStarted
  public void cacheStarted(CacheStartedEvent event) {
    if (!event.getCacheName().equals(components.getCacheName())) {
      return;
    }
    notifier.removeListener(this);
    IracVersionGenerator generator = components.getComponent(IracVersionGenerator.class);
    Transport transport = components.getGlobalComponentRegistry().getComponent(Transport.class);
    ByteString site = ByteString.fromString(transport.localSiteName());
    int topology = 0;
    for (IracEntryVersion version : bySegment.values()) {
      topology = Math.max(topology, version.getTopology(site));
    }
    IracEntryVersion ahead =
        IracEntryVersion.newVersion(
            site, TopologyIracVersion.newVersion(topology + TOPOLOGIES_AHEAD));
    for (int segment = 0; segment < segments; segment++) {
      IracEntryVersion known = bySegment.get(segment);
      generator.updateVersion(segment, known == null ? ahead : known.merge(ahead)); // SITES-1, -2
    }
  }
}
