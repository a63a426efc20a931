package io.varve.cache.internal.mapreduce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A directory of a job's own, which goes when it is closed. If its process dies before, the next
/// one that is made in the same directory deletes it.
///
/// - (D1) In a directory that is in use the file `lock` is locked from the time at which it has
///   that name; the system releases the lock when the process dies. So a directory whose `lock` can
///   be locked is used by no process.
/// - (D2) POSIX releases a process's lock as soon as any descriptor of the file is closed. So those
///   that this process uses are known, and no thread here opens their files again.
///
/// Locks are taken by asynchronous channels, since an interrupt of the thread that maps would close
/// any other.
public final class SpillDirectory implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(SpillDirectory.class.getName());
  private static final String PREFIX = "varve-mapreduce-";
  private static final String LOCK = "lock";
  private static final String CONTENT = "content";

  /// Those that this process uses (D2). Guarded by itself, which is held while one is made.
  private static final Set<Path> USED_HERE = new HashSet<>();

  private final Path directory;
  private final AsynchronousFileChannel lock;

  private SpillDirectory(Path directory, AsynchronousFileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /// Makes one, and deletes those next to it whose processes have died.
  ///
  /// @param parent where to make it; null for the directory of temporary files
  public static SpillDirectory create(@Nullable Path parent) {
    synchronized (USED_HERE) {
      try {
        Path made =
            parent == null
                ? Files.createTempDirectory(PREFIX)
                : Files.createTempDirectory(Files.createDirectories(parent), PREFIX);
        Path directory = made.toRealPath();
        AsynchronousFileChannel lock = lock(directory);
        USED_HERE.add(directory);
        deleteUnusedNextTo(directory);
        return new SpillDirectory(directory, lock);
      } catch (IOException e) {
        throw new UncheckedIOException(
            "no directory for what the memory of a job cannot hold: in="
                + (parent == null ? System.getProperty("java.io.tmpdir") : parent)
                + "; name another one as spillDirectory",
            e);
      }
    }
  }

  private static AsynchronousFileChannel lock(Path directory) throws IOException {
    Path unlocked = directory.resolve("unlocked");
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(
            unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      channel.tryLock();
      Files.move(unlocked, directory.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE); // (D1)
      return channel;
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(unlocked);
      Files.deleteIfExists(directory);
      throw e;
    }
  }

  private static void deleteUnusedNextTo(Path directory) {
    Path parent = directory.resolveSibling("");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      UserPrincipal user = Files.getOwner(directory);
      for (Path each : all) {
        if (!USED_HERE.contains(each)) {
          deleteIfUnused(each, user);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "what jobs left whose processes have died cannot be looked for: in="
              + parent
              + "; permit to list it",
          e);
    }
  }

  private static void deleteIfUnused(Path directory, UserPrincipal user) {
    try {
      if (isOwned(directory, user)) {
        deleteIfUnused(directory);
      }
    } catch (NoSuchFileException e) {
      // It is being made, or deleted.
    } catch (IOException | UncheckedIOException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "files of a job whose process has died could not be deleted: directory="
              + directory
              + "; delete them",
          e);
    }
  }

  /// Whether it is a directory of this user: of what belongs to others, a part could become a link
  /// to somewhere else while it is deleted.
  private static boolean isOwned(Path directory, UserPrincipal user) throws IOException {
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(user);
  }

  private static void deleteIfUnused(Path directory) throws IOException {
    try (AsynchronousFileChannel lock =
        AsynchronousFileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
      if (lock.tryLock() != null) {
        delete(directory, lock);
      }
    }
  }

  /// Deletes a directory whose lock is held. The lock goes last: what a process leaves that dies
  /// during that is still known to be unused.
  private static void delete(Path directory, AsynchronousFileChannel lock) throws IOException {
    Path content = directory.resolve(CONTENT);
    try (lock) {
      if (Files.exists(content)) {
        deleteTree(content);
      }
    }
    Files.deleteIfExists(directory.resolve(LOCK)); // not before it is closed, for Windows
    Files.deleteIfExists(directory);
  }

  private static void deleteTree(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /// Where the job may make a directory.
  public Path content() {
    return directory.resolve(CONTENT);
  }

  /// Deletes it and all that is in it.
  @Override
  public void close() {
    try {
      delete(directory, lock);
    } catch (IOException e) {
      throw new UncheckedIOException("files of a job are left: directory=" + directory, e);
    } finally {
      synchronized (USED_HERE) {
        USED_HERE.remove(directory);
      }
    }
  }
}
