package io.varve.internal.disk;

import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The lock of a directory: its lock file, and further files of it.
final class DirectoryLock implements DiskLock {
  private static final int TEXT_BYTES_MAX = 256;

  private final FileDisk disk;
  private final String directoryKey;

  /// The lock file; null if a read-only disk has none.
  private final @Nullable DiskFile file;

  private final boolean wasSigned;

  /// By name, in the order in which they were locked. Guarded by this.
  private final Map<String, LockedFile> locked = new LinkedHashMap<>();

  private boolean closed; // guarded by this

  private DirectoryLock(
      FileDisk disk, String directoryKey, @Nullable DiskFile file, boolean wasSigned) {
    this.disk = disk;
    this.directoryKey = directoryKey;
    this.file = file;
    this.wasSigned = wasSigned;
  }

  /// Locks a directory by a file in it, which is made if it is missing; but a read-only disk
  /// without one is locked by the files that are added alone.
  static DirectoryLock take(FileDisk disk, String name) throws IOException {
    Path directory = disk.directory();
    // The name as well: a directory of backups is locked by another file.
    String key = HeldFiles.keyOf(directory) + "/" + name;
    HeldFiles.enter(key, "directory=" + directory); // (H1)
    LockedFile lockFile = null;
    DirectoryLock taken = null;
    try {
      Path path = directory.resolve(name);
      if (disk.isReadOnly() && !Files.exists(path)) {
        taken = new DirectoryLock(disk, key, null, false);
        return taken;
      }
      disk.createIfMissing(path);
      lockFile = LockedFile.lock(disk, name, path);
      if (lockFile == null) {
        throw heldElsewhere(directory, disk, name);
      }
      DiskFile file = lockFile.open(disk.isReadOnly() ? FileDisk.READ : FileDisk.READ_AND_WRITE);
      taken = new DirectoryLock(disk, key, file, file.size() > 0);
      taken.locked.put(name, lockFile);
      disk.locked(name, lockFile);
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

  private static StoreLockedException heldElsewhere(Path directory, FileDisk disk, String name) {
    return new StoreLockedException(
        "store is open in another process: directory="
            + directory
            + ", "
            + holder(disk, name)
            + "; close it there first (one that opened it read-only names no holder: then this is"
            + " the last that wrote)");
  }

  private static String holder(FileDisk disk, String name) {
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
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
    Path path = disk.directory().resolve(name);
    LockedFile added;
    try {
      added = LockedFile.lock(disk, name, path);
    } catch (IOException e) {
      throw FileDisk.explain(path, disk.precise(e, 0));
    }
    if (added == null) {
      return false;
    }
    locked.put(name, added);
    disk.locked(name, added);
    return true;
  }

  @Override
  public boolean wasSigned() {
    return wasSigned;
  }

  @Override
  public void sign() throws IOException {
    DiskFile present = file;
    if (present == null || disk.isReadOnly()) {
      throw new IOException("a read-only lock is not signed: directory=" + disk.directory());
    }
    ProcessHandle self = ProcessHandle.current();
    String started = self.info().startInstant().map(Instant::toString).orElse("unknown");
    byte[] text =
        ("holderPid=" + self.pid() + ", holderStarted=" + started + "\n")
            .getBytes(StandardCharsets.UTF_8);
    try {
      present.write(0, ByteBuffer.wrap(text)); // over the last, so that a full disk has room for it
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
    @Nullable IOException failure = null;
    for (var entry : locked.entrySet()) {
      disk.unlocked(entry.getKey());
      try {
        entry.getValue().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    HeldFiles.leave(directoryKey);
    if (failure != null) {
      throw new StoreIoException(
          "locked files cannot be closed: directory=" + disk.directory() + "; see the cause",
          failure);
    }
  }
}
