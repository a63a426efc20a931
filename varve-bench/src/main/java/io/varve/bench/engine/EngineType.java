package io.varve.bench.engine;

import java.util.Set;

/// A store that can be measured: its name, its settings in words, what it can do.
public interface EngineType {
  /// The name on the command line and in the results.
  String label();

  /// Artifact and version, as found on the class path.
  String version();

  /// Whether it is Varve set in another way than by default, and so a peer of Varve only where that
  /// is what is measured.
  default boolean isVariant() {
    return false;
  }

  /// The settings in force, and what `promise` means for this store.
  String describe(Promise promise);

  /// What this store can do.
  Set<Feature> features();

  /// Opens the store, or creates it if the directory is empty.
  Engine open(EngineSettings settings);

  /// The same store, set for this many threads that commit, if it has such a setting.
  default EngineType forThreads(int threads) {
    return this;
  }
}
