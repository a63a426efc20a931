package io.varve.cache;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What system properties set, for programs that know JCache alone and so cannot set it in code.
final class Defaults {
  private Defaults() {}

  /// `io.varve.cache.mode`: where the entries of caches live; null if it is not said.
  static @Nullable StorageMode mode() {
    String name = System.getProperty("io.varve.cache.mode");
    if (name == null) {
      return null;
    }
    try {
      return StorageMode.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "system property io.varve.cache.mode="
              + name
              + ": must be one of "
              + Arrays.toString(StorageMode.values()),
          e);
    }
  }

  /// `io.varve.cache.directory`: where the manager of the default URI keeps its store; null for a
  /// store that lives in memory.
  static @Nullable Path directory() {
    String name = System.getProperty("io.varve.cache.directory");
    if (name != null && name.isEmpty()) { // it would be where the program runs
      throw new IllegalArgumentException(
          "system property io.varve.cache.directory is empty: leave it out, or name a directory");
    }
    return name == null ? null : Path.of(name);
  }

  /// `io.varve.cache.configuration`: the file that names the caches the manager of the default URI
  /// has; null for none.
  static @Nullable String configuration() {
    return System.getProperty("io.varve.cache.configuration");
  }
}
