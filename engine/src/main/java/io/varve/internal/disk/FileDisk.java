package io.varve.internal.disk;

import io.varve.StoreIoException;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A directory of the file system.
public final class FileDisk implements Disk {

  private final Directory directory;

  /// What is locked through this object, by name: all handles of such a file share the channels of
  /// its lock (L1).
  private final Map<String, LockedFile> locked = new ConcurrentHashMap<>();

  private FileDisk(Directory directory) {
    this.directory = directory;
  }

  /// Opens the directory.
  ///
  /// @param create whether to create it and its parents if missing
  /// @throws StoreIoException if the path is no directory, or may not be read or written
  public static FileDisk open(Path path, boolean create) {
    return open(path, create, /* isReadOnly= */ false);
  }

  /// Opens the directory so that nothing in it is changed: all calls that would are refused, and a
  /// lock makes no file. Where a file may only be read, it is locked so that others may lock it in
  /// the same way, and none for writing.
  ///
  /// @throws StoreIoException if the path is no directory, or may not be read
  public static FileDisk openReadOnly(Path path) {
    return open(path, /* create= */ false, /* isReadOnly= */ true);
  }

  private static FileDisk open(Path path, boolean create, boolean isReadOnly) {
    try {
      if (create) {
        createDurably(path.toAbsolutePath());
      }
      Path real = path.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new NotDirectoryException(path.toString());
      }
      AccessMode[] modes =
          isReadOnly
              ? new AccessMode[] {AccessMode.READ}
              : new AccessMode[] {AccessMode.READ, AccessMode.WRITE};
      real.getFileSystem()
          .provider()
          .checkAccess(real, modes); // states what Files.isWritable hides
      return new FileDisk(new Directory(real, isReadOnly));
    } catch (FileAlreadyExistsException | NotDirectoryException e) {
      throw new StoreIoException(
          "path is not a directory: path="
              + path
              + (create ? "; name a directory or remove the file" : "; name a directory"),
          e);
    } catch (AccessDeniedException e) {
      throw inaccessible(path, e);
    } catch (IOException e) {
      if (FileErrors.isReadOnly(e)) {
        throw inaccessible(path, e);
      }
      throw unusable(path, e, create);
    }
  }

  /// The exception that reports why a directory cannot be opened. That of a file system often names
  /// the file and nothing else.
  private static StoreIoException unusable(Path path, IOException cause, boolean create) {
    if (cause instanceof NoSuchFileException && !create) {
      return new StoreIoException(
          "no such directory: directory=" + path + "; name one that is there", cause);
    }
    String reason = cause instanceof FileSystemException file ? file.getReason() : null;
    return new StoreIoException(
        "directory cannot be opened: directory="
            + path
            + ", cause="
            + (reason == null ? cause.toString() : reason)
            + "; name another, or put right what the cause states",
        cause);
  }

  /// The exception that reports why a directory may not be used.
  private static StoreIoException inaccessible(Path path, IOException cause) {
    String message =
        FileErrors.isReadOnly(cause)
            ? "store directory is on a read-only file system: directory="
                + path
                + "; mount it writable"
            : "no permission for the store directory: directory="
                + path
                + "; give this user permission to read and write it";
    return new StoreIoException(message, cause);
  }

  /// Makes a directory and its parents. The name of each is forced in the directory above it: files
  /// are worth nothing in one that a power cut takes.
  private static void createDurably(Path path) throws IOException {
    Path parent = path.getParent();
    if (Files.exists(path) || parent == null) {
      Files.createDirectories(path);
      return;
    }
    createDurably(parent);
    try {
      Files.createDirectory(path, PrivateModes.ofDirectory(parent));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(path)) {
        throw e;
      }
      // Another has just made it. It may not have forced the name yet.
    }
    forceDirectory(parent);
  }

  /// The directory's real path.
  public Path directory() {
    return directory.path();
  }

  private void requireWritable(String name) throws IOException {
    if (directory.isReadOnly()) {
      throw new IOException(
          "directory is open read-only: file=" + directory.resolve(name) + "; open it for writing");
    }
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    if (!Arrays.asList(options).contains(FileOption.READ_ONLY)) {
      requireWritable(name);
    }
    Path path = directory.resolve(name);
    Set<OpenOption> opens = new HashSet<>();
    opens.add(StandardOpenOption.READ);
    opens.add(StandardOpenOption.WRITE);
    for (FileOption option : options) {
      switch (option) {
        case CREATE -> opens.add(StandardOpenOption.CREATE);
        case CREATE_NEW -> opens.add(StandardOpenOption.CREATE_NEW);
        case READ_ONLY -> opens.remove(StandardOpenOption.WRITE);
        case DSYNC -> opens.add(StandardOpenOption.DSYNC);
        case DIRECT -> {
          if (DirectOption.INSTANCE != null) {
            opens.add(DirectOption.INSTANCE);
          }
        }
      }
    }
    try {
      LockedFile held = locked.get(name);
      if (held != null) {
        opens.remove(StandardOpenOption.CREATE);
        return held.open(opens);
      }
      return FileDiskFile.owning(directory, name, path, FileChannels.open(path, opens));
    } catch (IOException e) {
      throw FileErrors.explain(path, directory.precise(e, 0));
    }
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(directory.resolve(name));
  }

  @Override
  public List<String> list(String name) throws IOException {
    var names = new ArrayList<String>();
    try (var stream = Files.newDirectoryStream(directory.resolve(name))) {
      for (Path path : stream) {
        names.add(path.getFileName().toString());
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new IOException(
          "a file is where a directory should be: file="
              + directory.resolve(name)
              + "; move it away",
          e);
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(names);
    return names;
  }

  @Override
  public void createDirectory(String name) throws IOException {
    requireWritable(name);
    try {
      Files.createDirectories(directory.resolve(name), PrivateModes.ofDirectory(directory.path()));
    } catch (IOException e) {
      throw directory.precise(e, 0);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    requireWritable(from);
    try {
      Files.move(
          directory.resolve(from),
          directory.resolve(to),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw directory.precise(e, 0);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    requireWritable(name);
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    forceDirectory(directory.resolve(name));
  }

  private static void forceDirectory(Path path) throws IOException {
    AsynchronousFileChannel channel;
    try {
      channel =
          AsynchronousFileChannel.open(path, Set.of(StandardOpenOption.READ), CallerRuns.INSTANCE);
    } catch (IOException e) {
      // Systems that cannot open a directory (Windows) log names with their metadata. Where it can
      // be opened, a failing force is an error like any other.
      if (Files.isDirectory(path) && java.io.File.separatorChar == '\\') {
        return;
      }
      throw FileErrors.opening(path, e);
    }
    try (channel) {
      channel.force(true);
    }
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    try {
      return DirectoryLock.take(directory, locked, name);
    } catch (IOException e) {
      throw FileErrors.explain(directory.resolve(name), directory.precise(e, 0));
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return directory.usableBytes();
  }

  @Override
  public String describe(String name) {
    return directory.resolve(name).toString();
  }

  @Override
  public void close() {
    // The directory itself needs no descriptor.
  }
}
