package io.varve.query.internal.access;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a sort may take.
///
/// @param memoryBytes about how much memory, before it writes temporary files
/// @param directory of these files, or null for that of the system
public record SortSettings(long memoryBytes, @Nullable Path directory) {
  /// Sixteen mebibytes, and the directory of the system.
  public static final SortSettings DEFAULT = new SortSettings(16 << 20, null);
}
