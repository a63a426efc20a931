package io.varve.cli.demo;

import io.varve.Store;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.cli.console.CommandException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The directory of the demonstration's store. A marker in it shows that it may be replaced.
final class DemoDirectory {
  private static final String MARKER = "varve-demo.marker";

  private DemoDirectory() {}

  /// Requires that a demonstration may replace what is there, if anything is.
  ///
  /// @throws CommandException if there is something else in it
  static void requireReplaceable(Path directory) throws IOException {
    if (Files.exists(directory) && !isReplaceable(directory)) {
      throw CommandException.usage(
          directory + " holds something else than a demo; name another directory by --dir");
    }
  }

  /// Leaves an empty directory except the marker.
  ///
  /// @throws CommandException if there is something else in it; it is left alone
  static void prepare(Path directory) throws IOException {
    requireReplaceable(directory);
    if (Files.exists(directory)) {
      requireUnused(directory);
      clear(directory);
    }
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve(MARKER), "Made by 'varve demo', which replaces this directory.\n");
  }

  private static boolean isReplaceable(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    if (Files.isRegularFile(directory.resolve(MARKER))) {
      return true;
    }
    try (Stream<Path> content = Files.list(directory)) {
      return content.findAny().isEmpty();
    }
  }

  /// Opens the old store once: a process that has it open would lose its files.
  ///
  /// @throws StoreLockedException if it is open; the message names the process
  private static void requireUnused(Path directory) {
    try {
      Store.open(directory, StoreOptions.defaults().createIfMissing(false)).close();
    } catch (StoreLockedException e) {
      throw e;
    } catch (VarveException e) {
      // There is no store, or a broken one: to be replaced all the same.
    }
  }

  private static void clear(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            if (!visited.equals(directory)) {
              Files.delete(visited);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /// The bytes of all files in it.
  static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
