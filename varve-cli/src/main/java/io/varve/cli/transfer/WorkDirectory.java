package io.varve.cli.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/// A directory for the temporary files of a load, which goes when it is closed. If its process is
/// killed before, the next one that is made deletes it.
///
/// - (WD-1) In a directory that is in use the file `lock` is locked from the time at which it has
///   that name; the system releases the lock when the process dies. So a directory whose `lock` can
///   be locked is used by no process.
/// - (WD-2) POSIX releases a process's lock as soon as any descriptor of the file is closed. So
///   those that this process uses are known, and no thread here opens their files again.
final class WorkDirectory implements AutoCloseable {
  private static final String PREFIX = "varve-load-";
  private static final String LOCK = "lock";
  private static final String CONTENT = "content";

  /// Those that this process uses (WD-2). Guarded by itself, which is held while one is made.
  private static final Set<Path> USED_HERE = new HashSet<>();

  private final Path directory;
  private final FileChannel lock;

  private WorkDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /// Makes one in the directory of temporary files, and deletes those whose processes have died.
  static WorkDirectory create() throws IOException {
    synchronized (USED_HERE) {
      Path directory = Files.createTempDirectory(PREFIX).toRealPath();
      FileChannel lock = lock(directory);
      USED_HERE.add(directory);
      deleteUnusedNextTo(directory);
      Files.createDirectory(directory.resolve(CONTENT));
      return new WorkDirectory(directory, lock);
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    Path unlocked = directory.resolve("unlocked");
    FileChannel channel =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      channel.tryLock();
      Files.move(unlocked, directory.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE); // (WD-1)
      return channel;
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(unlocked);
      Files.deleteIfExists(directory);
      throw e;
    }
  }

  /// What cannot be looked at or deleted stays, and a later load tries it again.
  private static void deleteUnusedNextTo(Path directory) {
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(directory.resolveSibling(""), PREFIX + "*")) {
      UserPrincipal user = Files.getOwner(directory);
      for (Path each : all) {
        if (!USED_HERE.contains(each)) {
          deleteIfUnused(each, user);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The load itself needs none of them.
    }
  }

  private static void deleteIfUnused(Path directory, UserPrincipal user) {
    if (!isOwned(directory, user)) {
      return;
    }
    try (FileChannel lock = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
      if (lock.tryLock() != null) {
        delete(directory, lock);
      }
    } catch (IOException | UncheckedIOException e) {
      // It is being made, or deleted by another process.
    }
  }

  /// Whether it is a directory of this user: of what belongs to others, a part could become a link
  /// to somewhere else while it is deleted.
  private static boolean isOwned(Path directory, UserPrincipal user) {
    try {
      return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(user);
    } catch (IOException e) {
      return false;
    }
  }

  /// Deletes a directory whose lock is held. The lock goes last: what a process leaves that dies
  /// during that is still known to be unused.
  private static void delete(Path directory, FileChannel lock) throws IOException {
    try (lock) {
      Path content = directory.resolve(CONTENT);
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

  /// Where the files of the load go.
  Path content() {
    return directory.resolve(CONTENT);
  }

  @Override
  public void close() {
    try {
      delete(directory, lock);
    } catch (IOException e) {
      throw new UncheckedIOException("files of a load are left: directory=" + directory, e);
    } finally {
      synchronized (USED_HERE) {
        USED_HERE.remove(directory);
      }
    }
  }
}
