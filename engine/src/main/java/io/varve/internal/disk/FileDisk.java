package io.varve.internal.disk;

import io.varve.StoreIoException;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A directory of the file system.
public final class FileDisk implements Disk {

  static final Set<OpenOption> READ_AND_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

  private final Path directory;
  private final boolean isReadOnly;

  /// The volume of the directory, once anybody asked: to find it reads a list of all volumes.
  private volatile @Nullable FileStore volume;

  /// What is locked through this object, by name.
  private final Map<String, LockedFile> locked = new ConcurrentHashMap<>();

  private FileDisk(Path directory, boolean isReadOnly) {
    this.directory = directory;
    this.isReadOnly = isReadOnly;
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
      if (!Files.isReadable(real) || (!isReadOnly && !Files.isWritable(real))) {
        throw inaccessible(real, null);
      }
      return new FileDisk(real, isReadOnly);
    } catch (FileAlreadyExistsException | NotDirectoryException e) {
      throw new StoreIoException(
          "store path is not a directory: path=" + path + "; name a directory or remove the file",
          e);
    } catch (AccessDeniedException e) {
      throw inaccessible(path, e);
    } catch (IOException e) {
      if (isReadOnly(e)) {
        throw inaccessible(path, e);
      }
      throw new StoreIoException(
          "store directory cannot be opened: directory=" + path + "; see the cause", e);
    }
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
    return directory;
  }

  /// Whether nothing is changed through this object.
  boolean isReadOnly() {
    return isReadOnly;
  }

  private void requireWritable(String name) throws IOException {
    if (isReadOnly) {
      throw new IOException(
          "directory is open read-only: file=" + resolve(name) + "; open it for writing");
    }
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    if (!Arrays.asList(options).contains(FileOption.READ_ONLY)) {
      requireWritable(name);
    }
    Path path = resolve(name);
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
      return FileDiskFile.owning(this, name, path, openChannel(path, opens));
    } catch (IOException e) {
      throw explain(path, precise(e, 0));
    }
  }

  /// Says of a file that cannot be opened what is wrong with it and what to do, where that is
  /// known.
  static IOException explain(Path path, IOException e) {
    if (e instanceof DiskFullException) {
      return e;
    }
    if (Files.isDirectory(path)) {
      return new IOException(
          "a directory is where a file should be: file=" + path + "; move it away", e);
    }
    if (isReadOnly(e)) {
      return new IOException(
          "the file system is read-only: file=" + path + "; mount it writable", e);
    }
    return e instanceof AccessDeniedException
        ? new IOException("no permission: file=" + path + "; let this user read and write it", e)
        : e;
  }

  /// Whether a file cannot be opened for writing, but perhaps for reading.
  static boolean refusesWrites(IOException e) {
    return e instanceof AccessDeniedException || isReadOnly(e);
  }

  /// Whether the file system takes no writes. Java has no type for it, so by the system's message.
  private static boolean isReadOnly(IOException e) {
    String message = e.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains("read-only file system");
  }

  /// Says why a directory may not be used.
  private static StoreIoException inaccessible(Path path, @Nullable IOException cause) {
    boolean isReadOnly = cause != null && isReadOnly(cause);
    try {
      isReadOnly |= cause == null && Files.getFileStore(path).isReadOnly();
    } catch (IOException _) {
      // Then only permissions are known.
    }
    String message =
        isReadOnly
            ? "store directory is on a read-only file system: directory="
                + path
                + "; mount it writable"
            : "no permission for the store directory: directory="
                + path
                + "; give this user permission to read and write it";
    return cause == null ? new StoreIoException(message) : new StoreIoException(message, cause);
  }

  static AsynchronousFileChannel openChannel(Path path, Set<OpenOption> options)
      throws IOException {
    FileAttribute<?>[] modes =
        options.contains(StandardOpenOption.CREATE)
                || options.contains(StandardOpenOption.CREATE_NEW)
            ? PrivateModes.ofFile(path)
            : PrivateModes.NONE;
    try {
      return AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE, modes);
    } catch (IOException | UnsupportedOperationException e) {
      // Some systems and file systems cannot; what else is wrong shows without the option, too.
      if (!options.contains(DirectOption.INSTANCE)) {
        throw e;
      }
      Set<OpenOption> others = new HashSet<>(options);
      others.remove(DirectOption.INSTANCE);
      return AsynchronousFileChannel.open(path, others, CallerRuns.INSTANCE, modes);
    }
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(resolve(name));
  }

  @Override
  public List<String> list(String name) throws IOException {
    var names = new ArrayList<String>();
    try (var stream = Files.newDirectoryStream(resolve(name))) {
      for (Path path : stream) {
        names.add(path.getFileName().toString());
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new IOException(
          "a file is where a directory should be: file=" + resolve(name) + "; move it away", e);
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
      Files.createDirectories(resolve(name), PrivateModes.ofDirectory(directory));
    } catch (IOException e) {
      throw precise(e, 0);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    requireWritable(from);
    try {
      Files.move(
          resolve(from),
          resolve(to),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw precise(e, 0);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    requireWritable(name);
    Files.deleteIfExists(resolve(name));
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    forceDirectory(resolve(name));
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
      throw e;
    }
    try (channel) {
      channel.force(true);
    }
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    try {
      return DirectoryLock.take(this, name);
    } catch (IOException e) {
      throw explain(resolve(name), precise(e, 0));
    }
  }

  /// Has all handles of a file share the channels of its lock from now on (L1).
  void locked(String name, LockedFile file) {
    locked.put(name, file);
  }

  void unlocked(String name) {
    locked.remove(name);
  }

  /// Makes an empty file, if there is none. No channel is opened of one that is there.
  void createIfMissing(Path path) throws IOException {
    if (!Files.exists(path)) {
      try {
        Files.createFile(path, PrivateModes.ofFile(path));
      } catch (FileAlreadyExistsException _) {
        // Another process was faster.
      }
    }
  }

  @Override
  public long usableBytes() throws IOException {
    FileStore present = volume;
    if (present == null) {
      present = Files.getFileStore(directory);
      volume = present;
    }
    return present.getUsableSpace();
  }

  @Override
  public String describe(String name) {
    return resolve(name).toString();
  }

  @Override
  public void close() {
    // The directory itself needs no descriptor.
  }

  private Path resolve(String name) {
    return name.isEmpty() ? directory : directory.resolve(name);
  }

  /// Distinguishes a full disk from other failures. Java has no type for it, so by the system's
  /// message; a message in a language unknown here is settled by asking for the space left.
  ///
  /// @param bytes what was to be written, 0 if unknown
  IOException precise(IOException e, long bytes) {
    if (e instanceof DiskFullException) {
      return e;
    }
    String message = e.getMessage() == null ? "" : e.getMessage().toLowerCase(Locale.ROOT);
    boolean full =
        message.contains("no space left")
            || message.contains("not enough space")
            || message.contains("disk full")
            || message.contains("quota exceeded");
    if (!full && bytes > 0) {
      try {
        full = usableBytes() < bytes;
      } catch (IOException unknown) {
        e.addSuppressed(unknown);
      }
    }
    return full ? new DiskFullException("disk is full: directory=" + directory, e) : e;
  }

  /// Maps with a channel of its own: only [FileChannel] can map, and an interrupt closes one, so
  /// nobody else may use it.
  static java.lang.foreign.MemorySegment map(Path path, long offset, long bytes)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (var channel =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          // An automatic arena: nobody can unmap memory under a reader, and the direct buffers made
          // of it cost no reference counting per call.
          return channel.map(
              FileChannel.MapMode.READ_WRITE, offset, bytes, java.lang.foreign.Arena.ofAuto());
        } catch (java.nio.channels.ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
