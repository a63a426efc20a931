package io.varve.cache.internal.marshal;

import java.util.Set;

/// The classes of which a cache has put objects itself, by their names. Safe for threads.
///
/// (R1) A name is kept at least as well as any bytes that need it: [#add] returns before they do.
public interface ClassRecord {
  /// The name of the cache.
  String cacheName();

  /// Whether objects of a class were put.
  boolean contains(String className);

  /// Notes that objects of classes are put.
  void add(Set<String> classNames);
}
