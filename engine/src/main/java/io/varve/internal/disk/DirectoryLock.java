package io.varve.internal.disk;

import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The lock of a directory: its lock file, and further files of it.
final class DirectoryLock implements DiskLock {
  private static final int TEXT_BYTES_MAX = 256;

  private final Directory directory;
  private final String directoryKey;

  /// The lock file; null if a read-only disk has none.
  private final @Nullable DiskFile file;

  private final boolean wasSigned;

  /// By name, in the order in which they were locked. Guarded by this.
  private final Map<String, LockedFile> locked = new LinkedHashMap<>();

  /// The same, for the code that opens files.
  private final Map<String, LockedFile> known;

  private boolean closed; // guarded by this

  private DirectoryLock(
      Directory directory,
      Map<String, LockedFile> known,
      String directoryKey,
      @Nullable DiskFile file,
      boolean wasSigned) {
    this.directory = directory;
    this.known = known;
    this.directoryKey = directoryKey;
    this.file = file;
    this.wasSigned = wasSigned;
  }

  /// Locks a directory by a file in it, which is made if it is missing; but a read-only disk
  /// without one is locked by the files that are added alone.
  ///
  /// @param known gets the locked files, by name
  static DirectoryLock take(Directory directory, Map<String, LockedFile> known, String name)
      throws IOException {
    // The name as well: a directory of backups is locked by another file.
    String key = HeldFiles.keyOf(directory.path()) + "/" + name;
    HeldFiles.enter(key, "directory=" + directory.path()); // (H1)
    LockedFile lockFile = null;
    DirectoryLock taken = null;
    try {
      Path path = directory.resolve(name);
      if (directory.isReadOnly() && !Files.exists(path)) {
        taken = new DirectoryLock(directory, known, key, null, false);
        return taken;
      }
      Directory.createIfMissing(path);
      lockFile = LockedFile.lock(directory, name, path);
      if (lockFile == null) {
        throw heldElsewhere(directory, name);
      }
      DiskFile file =
          lockFile.open(directory.isReadOnly() ? FileChannels.READ : FileChannels.READ_AND_WRITE);
      taken = new DirectoryLock(directory, known, key, file, file.size() > 0);
      taken.locked.put(name, lockFile);
      known.put(name, lockFile);
      return taken;
    } finally {
      if (taken == null) {
        if (lockFile != null) {
          lockFile.close();
        }
        HeldFiles.leave(key);
      }
    }
  }

  private static StoreLockedException heldElsewhere(Directory directory, String name) {
    return new StoreLockedException(
        "store is open in another process: directory="
            + directory.path()
            + ", "
            + holder(directory, name)
            + "; close it there first (one that opened it read-only names no holder: then this is"
            + " the last that wrote)");
  }

  private static String holder(Directory directory, String name) {
    Path path = directory.resolve(name);
    try (DiskFile file =
        FileDiskFile.owning(directory, name, path, FileChannels.open(path, FileChannels.READ))) {
      var text = ByteBuffer.allocate(TEXT_BYTES_MAX);
      file.read(0, text);
      String holder = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
      return holder.isEmpty() ? "holderPid=unknown" : holder;
    } catch (IOException e) {
      return "holderPid=unknown";
    }
  }

  @Override
  public synchronized boolean add(String name) throws IOException {
    Path path = directory.resolve(name);
    LockedFile added;
    try {
      added = LockedFile.lock(directory, name, path);
    } catch (IOException e) {
      throw FileErrors.explain(path, directory.precise(e, 0));
    }
    if (added == null) {
      return false;
    }
    locked.put(name, added);
    known.put(name, added);
    return true;
  }

  /// A time as ISO 8601 has it, without the formatter of the JDK: that loads a hundred classes,
  /// which the first put of a JVM waits for.
  private static String time(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC) + "Z";
  }

  @Override
  public boolean wasSigned() {
    return wasSigned;
  }

  @Override
  public void sign() throws IOException {
    DiskFile present = file;
    if (present == null || directory.isReadOnly()) {
      throw new IOException("a read-only lock is not signed: directory=" + directory.path());
    }
    ProcessHandle self = ProcessHandle.current();
    String started = self.info().startInstant().map(DirectoryLock::time).orElse("unknown");
    byte[] text =
        ("holderPid=" + self.pid() + ", holderStarted=" + started + "\n")
            .getBytes(StandardCharsets.UTF_8);
    try {
      present.write(
          0, ByteBuffer.wrap(text)); // over the last, so that a full disk has capacity for it
      present.truncate(text.length);
    } catch (DiskFullException e) {
      present.truncate(0); // the lock is held all the same; it names nobody
    }
  }

  @Override
  public void requireInPlace() throws IOException {
    Map<String, LockedFile> present;
    synchronized (this) {
      present = Map.copyOf(locked);
    }
    for (var entry : present.entrySet()) {
      // A lost lock file alone lets nobody in, since the others are locked as well.
      if (file == null || !entry.getKey().equals(file.name())) {
        entry.getValue().requireInPlace();
      }
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    var steps = new ClosingSteps();
    for (var entry : locked.entrySet()) {
      known.remove(entry.getKey());
      steps.take(entry.getValue()::close);
    }
    steps.take(() -> HeldFiles.leave(directoryKey));
    try {
      steps.throwFailure();
    } catch (IOException e) {
      throw new StoreIoException(
          "locked files cannot be closed: directory=" + directory.path() + "; see the cause", e);
    }
  }
}
