package io.varve.grid.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A part of the configuration of a node, in Infinispan's own XML, JSON or YAML. It may name
/// properties as `${name}`; those of the [NodeConfiguration] are put in.
public sealed interface ConfigurationLayer {
  /// Makes the file in a directory, where a user can read what a node runs with, or finds it where
  /// it is; gives its path.
  Path placeIn(Path directory) throws IOException;

  /// A layer that is next to a class.
  static ConfigurationLayer resource(Class<?> neighbor, String name) {
    return new Bundled(neighbor, name);
  }

  /// A layer that a user has written. It stays where it is.
  static ConfigurationLayer file(Path file) {
    return new UserFile(file);
  }

  /// A layer that was made for this start.
  static ConfigurationLayer made(String fileName, String content) {
    return new Made(fileName, content);
  }

  /// A layer that is next to a class.
  record Bundled(Class<?> neighbor, String fileName) implements ConfigurationLayer {
    @Override
    public Path placeIn(Path directory) throws IOException {
      Path file = directory.resolve(fileName);
      try (InputStream content = neighbor.getResourceAsStream(fileName)) {
        if (content == null) {
          throw new UncheckedIOException(new IOException("no such resource: name=" + fileName));
        }
        Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
      }
      return file;
    }
  }

  /// A layer that was made for this start.
  record Made(String fileName, String content) implements ConfigurationLayer {
    @Override
    public Path placeIn(Path directory) throws IOException {
      return Files.writeString(directory.resolve(fileName), content);
    }
  }

  /// A layer that a user has written.
  record UserFile(Path file) implements ConfigurationLayer {
    @Override
    public Path placeIn(Path directory) {
      return file.toAbsolutePath();
    }
  }
}
