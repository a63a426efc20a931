package io.varve.bench.engine;

import java.nio.file.Path;

/// How a store is opened.
///
/// @param directory an existing directory of its own
/// @param promise what every commit promises
/// @param cacheBytes the budget for cached data, for stores that have one
/// @param entriesMax the most entries that will be in the store, for stores that must know
/// @param valueBytes the length of every value, for stores that must know
public record EngineSettings(
    Path directory, Promise promise, long cacheBytes, long entriesMax, int valueBytes) {
  /// Key length in bytes of every load.
  public static final int KEY_BYTES = 16;

  /// About how many bytes of keys and values there will be at most.
  public long dataBytesMax() {
    return Math.multiplyExact(entriesMax, (long) KEY_BYTES + valueBytes);
  }
}
