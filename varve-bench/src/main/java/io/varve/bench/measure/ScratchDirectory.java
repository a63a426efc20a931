package io.varve.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A directory for the files of stores, gone with its close. One that was claimed is also gone
/// after Ctrl-C or SIGTERM. One that a link leads to is emptied.
public final class ScratchDirectory implements AutoCloseable {
  /// File systems that hold no data when the power is cut, so that a force means nothing.
  private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "devtmpfs");

  /// Marks a directory as ours, so that one that a killed run has left may be emptied. Locked by
  /// the run that uses it.
  private static final String MARK = ".varve-bench";

  private final Path path;

  /// Holds the lock of the mark; null if the directory was not claimed.
  private final @Nullable FileChannel mark;

  /// Waits for the end of the process while the directory is claimed.
  private final Thread atExit = new Thread(this::removeAtExit, "varve-bench-exit");

  /// A directory that other code has claimed.
  public ScratchDirectory(Path path) {
    this(path, null);
  }

  private ScratchDirectory(Path path, @Nullable FileChannel mark) {
    this.path = path;
    this.mark = mark;
  }

  /// Where it is.
  public Path path() {
    return path;
  }

  /// Makes the directory, empty, for this run alone.
  ///
  /// @throws IllegalArgumentException if it holds anything that no benchmark has put there, or
  ///   another run uses it
  public static ScratchDirectory claim(Path path) {
    try {
      if (Files.exists(path) && !Files.exists(path.resolve(MARK)) && !entries(path).isEmpty()) {
        throw new IllegalArgumentException(
            "will not empty a directory of others: dir=" + path + "; name a new one with --dir");
      }
      ScratchDirectory claimed =
          new ScratchDirectory(path, lockMark(Files.createDirectories(path)));
      Runtime.getRuntime().addShutdownHook(claimed.atExit);
      for (Path left : entries(path)) {
        if (!left.endsWith(MARK)) {
          deleteTree(left);
        }
      }
      return claimed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes a directory inside of this one, empty.
  public ScratchDirectory inner(String name) {
    try {
      return empty(path.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ScratchDirectory empty(Path path) throws IOException {
    deleteTree(path);
    return new ScratchDirectory(Files.createDirectories(path));
  }

  private static FileChannel lockMark(Path path) throws IOException {
    FileChannel mark =
        FileChannel.open(path.resolve(MARK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (mark.tryLock() != null) {
        return mark;
      }
    } catch (OverlappingFileLockException _) {
      // In use by this very process.
    }
    mark.close();
    throw new IllegalArgumentException(
        "another benchmark uses the directory: dir="
            + path
            + "; wait for its end, or name another with --dir");
  }

  private static List<Path> entries(Path path) throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      return entries.toList();
    }
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
    return fileSystem(path);
  }

  private static String fileSystem(Path existing) {
    try {
      return Files.getFileStore(existing).type();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Refuses a file system in memory.
  ///
  /// @param path absolute; it or a directory above exists
  public static void requireRealDisk(Path path) {
    Path existing = path;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    String type = fileSystem(existing);
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
    if (mark != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException _) {
        // The process ends, and that thread removes the directory.
      }
    }
    remove();
  }

  /// A link stays, and what it leads to stays as a directory: both are the user's.
  private void remove() {
    try (FileChannel _ = mark) {
      if (Files.isSymbolicLink(path)) {
        for (Path each : entries(path)) {
          deleteTree(each);
        }
      } else {
        deleteTree(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends the children first, since they write into the directory.
  private void removeAtExit() {
    List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
    children.forEach(ProcessHandle::destroyForcibly);
    children.forEach(child -> child.onExit().join());
    remove();
  }

  /// Deletes a directory and all in it, which another thread may do as well where a run is ended.
  private static synchronized void deleteTree(Path root) throws IOException {
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
