package io.varve.grid;

import io.varve.Durability;
import java.util.Map;
import org.infinispan.commons.util.ByteQuantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// How the node's own caches keep entries: the default one, and those that are made of the
/// template.
final class StorageOptions {
  /// Entries of so many caches fill the heap by half.
  private static final int CACHES = 4;

  @Option(
      names = "--durability",
      paramLabel = "NAME",
      order = 10,
      defaultValue = "POWER_LOSS",
      description =
          "What an answered write survives: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Durability durability;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      order = 11,
      converter = SizeConverter.class,
      description =
          "Memory for entries of each cache, as '256 MiB'; others are read from their pages. Default:"
              + " an eighth of the JVM's heap.")
  long heapBytes = Runtime.getRuntime().maxMemory() / 2 / CACHES;

  @Option(
      names = "--pages",
      paramLabel = "SIZE",
      order = 12,
      defaultValue = "64 MiB",
      converter = SizeConverter.class,
      description = "Memory for pages of each cache. Default: ${DEFAULT-VALUE}.")
  long pageBytes;

  Map<String, String> properties() {
    return Map.of(
        "varve.durability", durability.name(),
        "varve.heap", Long.toString(heapBytes),
        "varve.pages", Long.toString(pageBytes));
  }

  /// Reads sizes as Infinispan's configuration has them.
  static final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return ByteQuantity.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' is not a size like '64 MiB' or 2GB");
      }
    }
  }
}
