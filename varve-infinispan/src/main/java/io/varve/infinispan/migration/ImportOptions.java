package io.varve.infinispan.migration;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How caches are imported. Immutable; each method gives other options.
///
/// @param source the directory that the old stores name as their location
/// @param target the directory that a `varve-store` will name as its location
/// @param configuration a file of Infinispan's configuration that sets how the caches marshal and
///   partition their keys, or null for how they do by default
/// @param replace whether entries that are in the target go
/// @param skipDamaged whether what cannot be read is left out, rather than an error
public record ImportOptions(
    Path source, Path target, @Nullable Path configuration, boolean replace, boolean skipDamaged) {
  /// Imports from one directory to another.
  public static ImportOptions of(Path source, Path target) {
    return new ImportOptions(source, target, null, false, false);
  }

  /// Sets the file of Infinispan's configuration.
  public ImportOptions configuration(@Nullable Path file) {
    return new ImportOptions(source, target, file, replace, skipDamaged);
  }

  /// Sets whether entries that are in the target go. By default such a target is refused.
  public ImportOptions replace(boolean value) {
    return new ImportOptions(source, target, configuration, value, skipDamaged);
  }

  /// Sets whether what cannot be read is left out. By default it is an error.
  public ImportOptions skipDamaged(boolean value) {
    return new ImportOptions(source, target, configuration, replace, value);
  }
}
