package io.varve.cache.internal.container;

import io.varve.Store;
import io.varve.cache.internal.marshal.ClassRecord;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The classes of which a cache was given objects, in the catalog of its store. A user that could
/// add to them could write any entry as well: they are as safe as the directory.
public final class RecordedClasses implements ClassRecord {
  private final String cacheName;

  /// Null if entries end with the process, and so does what is known of their classes.
  private final @Nullable Catalog catalog;

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  private RecordedClasses(String cacheName, @Nullable Catalog catalog) {
    this.cacheName = cacheName;
    this.catalog = catalog;
    if (catalog != null) {
      known.addAll(catalog.classes(cacheName));
    }
  }

  /// Those of a cache without pages.
  public static RecordedClasses onHeap(String cacheName) {
    return new RecordedClasses(cacheName, null);
  }

  /// Those of a cache whose spaces are there.
  public static RecordedClasses in(Store store, String cacheName) {
    return new RecordedClasses(cacheName, Catalog.of(store));
  }

  @Override
  public String cacheName() {
    return cacheName;
  }

  @Override
  public boolean contains(String className) {
    return known.contains(className);
  }

  /// Known afterwards only, so that no thread uses a name that a crash may take (R1).
  @Override
  public void add(Set<String> classNames) {
    if (catalog != null) {
      catalog.record(cacheName, classNames);
    }
    known.addAll(classNames);
  }
}
