package io.varve.grid.backup;

import io.varve.grid.node.NodeLock;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Directories of files: what a node copies for a backup, forces and deletes.
final class NodeFiles {
  private NodeFiles() {}

  /// Copies the files of a directory, but no stores, indexes and locks. A file that goes away
  /// before it is copied is left out.
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about)
              throws IOException {
            if (isStore(from, directory) || isIndex(directory)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            if (!file.toString().endsWith(".lck")) {
              try {
                copyFile(file, to.resolve(from.relativize(file)));
              } catch (NoSuchFileException e) {
                return visitFileFailed(file, e);
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException && Files.notExists(file)) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  /// Whether a directory is that of a store. What is next to it may be something else, as a cache
  /// has any name; and a cache that has this name has its store one level below.
  private static boolean isStore(Path root, Path directory) {
    return directory.endsWith("varve") && !root.equals(directory.getParent());
  }

  /// Whether a directory is that of a store which has pages.
  static boolean isStoreWithPages(Path directory) {
    return directory.endsWith("varve") && Files.isRegularFile(directory.resolve("pages"));
  }

  /// Copies all that is below a directory to one that is there, but the lock of a node.
  static void copyAll(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            if (!file.equals(from.resolve(NodeLock.FILE))) {
              copyFile(file, to.resolve(from.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /// Copies a file with its attributes. The copy can be written, whatever its permissions are: it
  /// is forced, and a store is opened.
  private static void copyFile(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    PrivateFiles.makeWritable(to);
  }

  /// Whether a directory is an index of Lucene's, which has this file from its first use on.
  private static boolean isIndex(Path directory) {
    return Files.isRegularFile(directory.resolve("write.lock"));
  }

  /// Puts all files and directories below one on stable storage.
  ///
  /// @return bytes of all files
  static long force(Path directory) throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            bytes[0] += about.size();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              channel.force(true);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            forceDirectory(visited);
            return super.postVisitDirectory(visited, failure);
          }
        });
    return bytes[0];
  }

  /// Puts the names in a directory on stable storage, where a file system can.
  static void forceDirectory(Path directory) throws IOException {
    if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
      try (FileChannel channel = FileChannel.open(directory)) {
        channel.force(true);
      }
    }
  }

  /// Deletes all that is in a directory of a node, but the lock.
  static void empty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (!entry.equals(directory.resolve(NodeLock.FILE))) {
          delete(entry);
        }
      }
    }
  }

  /// Deletes a directory and all that is in it, if there is one.
  static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return super.postVisitDirectory(visited, failure);
          }
        });
  }
}
