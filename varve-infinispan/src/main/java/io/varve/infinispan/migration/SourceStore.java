package io.varve.infinispan.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.file.SingleFileStoreConfigurationBuilder;

/// A kind of store that Infinispan ships, recognized by the names of its files.
enum SourceStore {
  /// Files of entries in the order of their writes. Its index is made again for each import, since
  /// that of a process that was killed is of no use.
  SOFT_INDEX("SoftIndexFileStore") {
    // Of Infinispan 12 and later, of 11, and of older ones, which Infinispan refuses by name.
    private static final String FILE = "(ispn12\\.|ispn\\.|)[0-9]+";

    @Override
    boolean isAt(Path location, String cache) {
      return names(location.resolve(cache).resolve("data")).stream()
          .anyMatch(name -> name.matches(FILE));
    }

    @Override
    Path lockFile(Path location, String cache) {
      return location.resolve(cache).resolve(cache + ".lck");
    }

    @Override
    void copy(Path location, String cache, Path to) throws IOException {
      Path data = location.resolve(cache).resolve("data");
      Path copy = Files.createDirectories(to.resolve(cache).resolve("data"));
      for (String name : names(data)) {
        if (name.matches(FILE)) {
          linkWritable(data.resolve(name), copy.resolve(name));
        }
      }
    }

    // Links to a file that its store never writes to again. It opens it as if it did, so what the
    // user may not write is copied.
    private static void linkWritable(Path file, Path link) throws IOException {
      if (Files.isWritable(file)) {
        Files.createSymbolicLink(link, file);
      } else {
        Files.copy(file, link);
      }
    }

    @Override
    void addTo(ConfigurationBuilder configuration, Path location, String cache) {
      configuration
          .persistence()
          .addSoftIndexFileStore()
          .dataLocation(location.toString())
          .indexLocation(location.toString());
    }
  },

  /// One file, which may be written to when it is opened.
  SINGLE_FILE("SingleFileStore") {
    @Override
    boolean isAt(Path location, String cache) {
      return Files.isRegularFile(location.resolve(cache + ".dat"));
    }

    @Override
    void copy(Path location, String cache, Path to) throws IOException {
      Files.copy(location.resolve(cache + ".dat"), to.resolve(cache + ".dat"));
    }

    @Override
    void addTo(ConfigurationBuilder configuration, Path location, String cache) {
      configuration
          .persistence()
          .addStore(SingleFileStoreConfigurationBuilder.class)
          .location(location.toString());
    }
  },

  /// A database whose tables are never written to again, and a few files that are. What it keeps of
  /// expiry apart from that is made again in Varve.
  ROCKSDB("RocksDBStore") {
    @Override
    boolean isAt(Path location, String cache) {
      return Files.isRegularFile(location.resolve(cache).resolve("data").resolve("CURRENT"));
    }

    @Override
    Path lockFile(Path location, String cache) {
      return location.resolve(cache).resolve("data").resolve("LOCK");
    }

    @Override
    void copy(Path location, String cache, Path to) throws IOException {
      Path data = location.resolve(cache).resolve("data");
      Path copy = Files.createDirectories(to.resolve(cache).resolve("data"));
      for (String name : names(data)) {
        if (name.endsWith(".sst")) {
          Files.createSymbolicLink(copy.resolve(name), data.resolve(name));
        } else if (Files.isRegularFile(data.resolve(name)) && !name.startsWith("LOG")) {
          Files.copy(data.resolve(name), copy.resolve(name));
        }
      }
    }

    @Override
    void addTo(ConfigurationBuilder configuration, Path location, String cache) {
      RocksDbSource.addTo(configuration, location, cache);
    }

    @Override
    void requireSound(Path location, String cache) {
      RocksDbSource.requireSound(location.resolve(cache).resolve("data"));
    }
  };

  private final String label;

  SourceStore(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /// Whether such a store of a cache is below a location.
  abstract boolean isAt(Path location, String cache);

  /// The file that a process which uses the store has locked, or one that is never there.
  Path lockFile(Path location, String cache) {
    return location.resolve(cache).resolve("no-lock");
  }

  /// Makes a store of the same content, which may be written to. Fills no disk where it need not.
  abstract void copy(Path location, String cache, Path to) throws IOException;

  /// Has a cache read the store below a location.
  abstract void addTo(ConfigurationBuilder configuration, Path location, String cache);

  /// Checks a copy, where the kind has a check that its reads lack.
  ///
  /// @throws ImportException if it is damaged
  void requireSound(Path location, String cache) {}

  static List<String> names(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The names of all caches that a store is below a location of.
  static List<String> caches(Path location) {
    Set<String> caches = new LinkedHashSet<>();
    for (String name : names(location)) {
      String cache =
          name.endsWith(".dat") ? name.substring(0, name.length() - ".dat".length()) : name;
      if (Stream.of(values()).anyMatch(kind -> kind.isAt(location, cache))) {
        caches.add(cache);
      }
    }
    return List.copyOf(caches);
  }
}
