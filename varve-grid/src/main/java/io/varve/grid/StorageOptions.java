package io.varve.grid;

import io.varve.Durability;
import io.varve.grid.guard.entry.EntryMemory;
import io.varve.grid.node.StoreEncryption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How the node's own caches keep entries: the default one, and those that are made of the
/// template.
final class StorageOptions {
  /// So many caches that are full leave half of the heap to others.
  private static final int CACHES = 4;

  @Option(
      names = "--durability",
      paramLabel = "NAME",
      order = 10,
      defaultValue = "POWER_LOSS",
      description =
          "What an answered write survives: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Durability durability;

  // By number (MEMORY-1): Infinispan refuses to add Redis' lists and their like to a cache that is
  // bounded by size.
  @Option(
      names = "--entries",
      paramLabel = "COUNT",
      order = 11,
      description =
          "Entries of the default cache that are held in memory; others are read from their pages."
              + " One counts once for each 2 KiB. Default: as many as fill an eighth of the heap.")
  long entriesMax = heapShareBytes() / EntryMemory.ENTRY_BYTES;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      order = 12,
      converter = ByteQuantityConverter.class,
      description =
          "Memory for entries of each other cache of ours, as '256 MiB'; others are read from their"
              + " pages. Default: an eighth of the heap.")
  long memoryBytes = heapShareBytes();

  @Option(
      names = "--pages",
      paramLabel = "SIZE",
      order = 13,
      defaultValue = "64 MiB",
      converter = ByteQuantityConverter.class,
      description = "Memory for pages of each cache. Default: ${DEFAULT-VALUE}.")
  long pageBytes;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      order = 14,
      defaultValue = "${env:VARVE_KEY_FILE}",
      description =
          "Encrypt the stores of all caches by the key in this file: 32 bytes, raw, in hex or"
              + " Base64. From the first start on. Default: $$VARVE_KEY_FILE.")
  @Nullable Path keyFile;

  private static long heapShareBytes() {
    return Runtime.getRuntime().maxMemory() / 2 / CACHES;
  }

  Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>();
    properties.put("varve.durability", durability.name());
    properties.put("varve.entries", Long.toString(entriesMax));
    properties.put("varve.memory", Long.toString(memoryBytes));
    properties.put("varve.pages", Long.toString(pageBytes));
    if (keyFile != null) {
      properties.put(StoreEncryption.KEY_FILE, keyFile.toAbsolutePath().toString());
    }
    return properties;
  }
}
