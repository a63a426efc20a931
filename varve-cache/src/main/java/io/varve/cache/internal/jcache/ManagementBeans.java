package io.varve.cache.internal.jcache;

import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// What a cache shows to JMX, under the names that JCache prescribes. Safe for threads.
///
/// A cache of the same name in another manager of the same URI (there is one for each class loader)
/// has those names, too: the later one is shown with a number in addition.
final class ManagementBeans {
  private final String managerName;
  private final String cacheName;
  private final Map<Kind, ObjectName> shown = new EnumMap<>(Kind.class); // guarded by this

  /// What a bean reports.
  enum Kind {
    CONFIGURATION("CacheConfiguration"),
    STATISTICS("CacheStatistics");

    private final String type;

    Kind(String type) {
      this.type = type;
    }
  }

  /// Makes the beans of a cache, of which none is shown yet.
  ManagementBeans(String managerName, String cacheName) {
    this.managerName = sanitized(managerName);
    this.cacheName = sanitized(cacheName);
  }

  /// Takes out what has a meaning in names of beans.
  private static String sanitized(String text) {
    return text.replaceAll("[,:=\n\"*?\\\\]", ".");
  }

  private String name(Kind kind) {
    return "javax.cache:type=" + kind.type + ",CacheManager=" + managerName + ",Cache=" + cacheName;
  }

  /// Shows a bean, or hides the one that is shown.
  synchronized void show(Kind kind, Object bean, boolean isShown) {
    try {
      if (!isShown) {
        hide(kind);
      } else if (!shown.containsKey(kind)) {
        shown.put(kind, register(kind, bean));
      }
    } catch (JMException e) {
      throw new CacheException(
          "management bean was not " + (isShown ? "shown" : "hidden") + ": name=" + name(kind), e);
    }
  }

  private ObjectName register(Kind kind, Object bean) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(name(kind));
    for (int copy = 2; ; copy++) {
      try {
        server.registerMBean(bean, name);
        return name;
      } catch (InstanceAlreadyExistsException e) {
        name = new ObjectName(name(kind) + ",Copy=" + copy);
      }
    }
  }

  private void hide(Kind kind) throws JMException {
    ObjectName name = shown.remove(kind);
    if (name != null) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        // another thread took it out, which is as good
      }
    }
  }

  /// Hides what is shown.
  synchronized void hide() {
    for (Kind kind : Kind.values()) {
      show(kind, this, false);
    }
  }
}
