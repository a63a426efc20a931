package io.varve.internal.disk;

import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A directory of the file system.
public final class FileDisk implements Disk {

  /// Directories locked by this process. POSIX gives up a process's lock as soon as *any*
  /// descriptor of the file is closed, so a second open in this process must be refused before it
  /// touches the lock file.
  private static final Set<Path> LOCKED_HERE = ConcurrentHashMap.newKeySet();

  /// Where the lock file is locked: far behind its text, which must stay readable where locks are
  /// mandatory (Windows).
  private static final long LOCK_POSITION = Long.MAX_VALUE - 1;

  private static final int LOCK_TEXT_BYTES_MAX = 256;

  private final Path directory;

  /// The volume of the directory, once anybody asked: to find it reads a list of all volumes.
  private volatile @Nullable FileStore volume;

  private FileDisk(Path directory) {
    this.directory = directory;
  }

  /// Opens the directory.
  ///
  /// @param create whether to create it and its parents if missing
  /// @throws StoreIoException if the path is no directory, or may not be read or written
  public static FileDisk open(Path path, boolean create) {
    try {
      if (create) {
        createDurably(path.toAbsolutePath());
      }
      Path real = path.toRealPath();
      if (!Files.isReadable(real) || !Files.isWritable(real)) {
        throw new StoreIoException(
            "store directory is not accessible: directory="
                + real
                + "; give this user permission to read and write it");
      }
      return new FileDisk(real);
    } catch (FileAlreadyExistsException | NotDirectoryException e) {
      throw new StoreIoException(
          "store path is not a directory: path=" + path + "; name a directory or remove the file",
          e);
    } catch (AccessDeniedException e) {
      throw new StoreIoException(
          "store directory is not accessible: directory="
              + path
              + "; give this user permission to read and write it",
          e);
    } catch (IOException e) {
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
    Files.createDirectory(path);
    forceDirectory(parent);
  }

  /// The directory's real path.
  public Path directory() {
    return directory;
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
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
      return new FileDiskFile(this, name, path, open(path, opens));
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
          "a directory lies where a file should be: file=" + path + "; move it away", e);
    }
    return e instanceof AccessDeniedException
        ? new IOException("no permission: file=" + path + "; let this user read and write it", e)
        : e;
  }

  private static AsynchronousFileChannel open(Path path, Set<OpenOption> options)
      throws IOException {
    try {
      return AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE);
    } catch (IOException | UnsupportedOperationException e) {
      // Some systems and file systems cannot; what else is wrong shows without the option, too.
      if (!options.remove(DirectOption.INSTANCE)) {
        throw e;
      }
      return AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE);
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
          "a file lies where a directory should be: file=" + resolve(name) + "; move it away", e);
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(names);
    return names;
  }

  @Override
  public void createDirectory(String name) throws IOException {
    try {
      Files.createDirectories(resolve(name));
    } catch (IOException e) {
      throw precise(e, 0);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
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
    Path path = resolve(name);
    if (!LOCKED_HERE.add(path)) {
      throw new StoreLockedException(
          "store is already open in this process: directory="
              + directory
              + ", holderPid="
              + ProcessHandle.current().pid()
              + "; share the open store or close it first");
    }
    boolean held = false;
    try {
      var channel =
          AsynchronousFileChannel.open(
              path,
              Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
              CallerRuns.INSTANCE);
      try {
        var file = new FileDiskFile(this, name, path, channel);
        FileLock lock = channel.tryLock(LOCK_POSITION, 1, false);
        if (lock == null) {
          throw new StoreLockedException(
              "store is open in another process: directory="
                  + directory
                  + ", "
                  + holder(file)
                  + "; close it there first");
        }
        sign(file);
        held = true;
        return new HeldLock(path, file);
      } finally {
        if (!held) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw explain(path, precise(e, 0));
    } finally {
      if (!held) {
        LOCKED_HERE.remove(path);
      }
    }
  }

  private static String holder(DiskFile file) {
    try {
      var text = ByteBuffer.allocate(LOCK_TEXT_BYTES_MAX);
      file.read(0, text);
      String holder = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
      return holder.isEmpty() ? "holderPid=unknown" : holder;
    } catch (IOException e) {
      return "holderPid=unknown";
    }
  }

  private static void sign(DiskFile file) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    String started = self.info().startInstant().map(Instant::toString).orElse("unknown");
    byte[] text =
        ("holderPid=" + self.pid() + ", holderStarted=" + started + "\n")
            .getBytes(StandardCharsets.UTF_8);
    try {
      file.write(
          0, ByteBuffer.wrap(text)); // over the last one, so that a full disk has room for it
      file.truncate(text.length);
    } catch (DiskFullException e) {
      file.truncate(0); // the lock is held all the same; nobody is named by it
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

  /// Tells a full disk from other failures. Java has no type for it, so by the system's message; a
  /// message in a language unknown here is settled by asking for the space left.
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

  private static final class HeldLock implements DiskLock {
    private final Path path;
    private final FileDiskFile file;
    private boolean closed;

    HeldLock(Path path, FileDiskFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public synchronized void close() {
      if (closed) {
        return;
      }
      closed = true;
      try {
        file.close(); // and with it the lock
      } catch (IOException e) {
        throw new StoreIoException(
            "lock file cannot be closed: file=" + path + "; see the cause", e);
      } finally {
        LOCKED_HERE.remove(path);
      }
    }
  }
}
