package io.varve.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A directory for the files of stores, gone with its close.
///
/// @param path where it is
public record ScratchDirectory(Path path) implements AutoCloseable {
  /// File systems that hold no data when the power is cut, so that a force means nothing.
  private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "devtmpfs");

  /// Makes the directory, empty.
  public static ScratchDirectory create(Path path) {
    try {
      deleteTree(path);
      return new ScratchDirectory(Files.createDirectories(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes a directory inside of this one, empty.
  public ScratchDirectory inner(String name) {
    return create(path.resolve(name));
  }

  /// The directory inside of this one, with what it holds, made if there is none.
  public ScratchDirectory existing(String name) {
    try {
      return new ScratchDirectory(Files.createDirectories(path.resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The type of the file system, such as ext4.
  public String fileSystem() {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Refuses a file system in memory.
  public void requireRealDisk() {
    String type = fileSystem();
    if (MEMORY_FILE_SYSTEMS.contains(type)) {
      throw new IllegalArgumentException(
          "durable commits cannot be measured in memory: dir="
              + path
              + ", type="
              + type
              + "; name a directory on a disk with --dir");
    }
  }

  @Override
  public void close() {
    try {
      deleteTree(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
