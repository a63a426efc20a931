package io.varve.infinispan.migration;

/// Hears how far an import is.
@FunctionalInterface
public interface ImportProgress {
  /// Called now and then, by the thread that imports.
  ///
  /// @param cache the name of the cache
  /// @param entries imported so far
  /// @param about how many entries the source reports that it has; an estimate
  void imported(String cache, long entries, long about);
}
