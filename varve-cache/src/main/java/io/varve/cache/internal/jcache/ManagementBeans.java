package io.varve.cache.internal.jcache;

import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// Shows beans of caches to JMX, under the names that JCache lays down.
final class ManagementBeans {
  private ManagementBeans() {}

  /// What a bean tells of.
  enum Kind {
    CONFIGURATION("CacheConfiguration"),
    STATISTICS("CacheStatistics");

    private final String type;

    Kind(String type) {
      this.type = type;
    }
  }

  private static ObjectName name(Cache<?, ?> cache, Kind kind) throws JMException {
    return new ObjectName(
        "javax.cache:type="
            + kind.type
            + ",CacheManager="
            + sanitized(cache.getCacheManager().getURI().toString())
            + ",Cache="
            + sanitized(cache.getName()));
  }

  private static String sanitized(String text) {
    return text.replaceAll("[,:=\n]", ".");
  }

  /// Shows a bean, or hides it.
  static void show(Cache<?, ?> cache, Kind kind, Object bean, boolean shown) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = name(cache, kind);
      Set<ObjectName> present = server.queryNames(name, null);
      if (shown && present.isEmpty()) {
        server.registerMBean(bean, name);
      } else if (!shown && !present.isEmpty()) {
        server.unregisterMBean(name);
      }
    } catch (JMException e) {
      throw new CacheException(
          "management bean was not " + (shown ? "shown" : "hidden") + ": cache=" + cache.getName(),
          e);
    }
  }
}
