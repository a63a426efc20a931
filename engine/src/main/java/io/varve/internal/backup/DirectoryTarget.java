package io.varve.internal.backup;

import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileOption;
import io.varve.internal.file.PageFile;
import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Backups in a directory: each object is a file, written under another name, which is changed when
/// all of it is durable. So a file that bears the name of an object is whole.
///
/// For one thread.
final class DirectoryTarget implements BackupTarget {
  /// What the name of a backup file ends in.
  static final String SUFFIX = ".vbk";

  /// What is added to the name of a file that is being written.
  static final String UNFINISHED = ".new";

  /// The name of a point: its number, within a `long`, as 20 digits.
  private static final Pattern POINT = Pattern.compile("0[0-8]\\d{18}\\.vbk");

  private static final String LOCK_FILE = "lock";

  /// What is added to the name of a single file for the lock of the process that writes it. The
  /// lock file stays: another backup may have it open already.
  private static final String SINGLE_LOCK = ".lock";

  private final Disk disk;

  /// The name of the one file to write, next to files of others, or null for a whole directory.
  private final @Nullable String single;

  DirectoryTarget(Disk disk, @Nullable String single) {
    this.disk = disk;
    this.single = single;
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public long size(String name) throws IOException {
    if (!disk.exists(name)) {
      return -1;
    }
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
      return file.size();
    }
  }

  @Override
  public int read(String name, long position, ByteBuffer target) throws IOException {
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
      return file.read(position, target);
    }
  }

  @Override
  public NewObject create(String name) throws IOException {
    String directory = directory(name);
    if (!directory.isEmpty() && !disk.exists(directory)) {
      disk.createDirectory(directory);
      disk.syncDirectory("");
    }
    return new NewFile(name);
  }

  private static String directory(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
    disk.syncDirectory(directory(name));
  }

  /// @throws StoreLockedException if another backup runs here
  @Override
  public Closeable tryHold() throws IOException {
    if (single == null && disk.exists(PageFile.NAME)) {
      throw new StoreIoException(
          "a store is there, and backups must not: directory="
              + disk.describe("")
              + "; name another");
    }
    DiskLock lock = locked(single == null ? LOCK_FILE : single + SINGLE_LOCK);
    boolean held = false;
    try {
      lock.sign();
      if (single == null) {
        deleteUnfinished();
      }
      held = true;
      return lock::close;
    } finally {
      if (!held) {
        lock.close();
      }
    }
  }

  private DiskLock locked(String name) throws IOException {
    try {
      return disk.lock(name);
    } catch (StoreLockedException e) {
      throw new StoreLockedException(
          "another backup is being written there: target="
              + disk.describe(single == null ? "" : single)
              + ", lock="
              + disk.describe(name)
              + "; the points there are as they were; wait until it has ended, or name another"
              + " target; "
              + e.getMessage(),
          e);
    }
  }

  /// Whether a name is one of a point, and none that a user gave to a backup.
  static boolean isPoint(String name) {
    return POINT.matcher(name).matches();
  }

  /// What another backup writes as a single file stays.
  private void deleteUnfinished() throws IOException {
    for (String name : disk.list("")) {
      if (name.endsWith(UNFINISHED)
          && isPoint(name.substring(0, name.length() - UNFINISHED.length()))) {
        disk.delete(name);
      }
    }
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public void force(String name) throws IOException {
    try (DiskFile file = disk.open(name)) {
      file.force();
    }
    disk.syncDirectory(directory(name));
  }

  private final class NewFile implements NewObject {
    private final String name;
    private final DiskFile file;
    private long position;
    private boolean finished;

    NewFile(String name) throws IOException {
      this.name = name;
      this.file = disk.open(name + UNFINISHED, FileOption.CREATE);
      boolean empty = false;
      try {
        file.truncate(0);
        empty = true;
      } finally {
        if (!empty) {
          file.close();
        }
      }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int count = bytes.remaining();
      file.write(position, bytes);
      position += count;
    }

    @Override
    public void finish() throws IOException {
      file.force();
      disk.rename(name + UNFINISHED, name);
      finished = true;
      disk.syncDirectory(directory(name));
    }

    @Override
    public void close() throws IOException {
      try (file) {
        if (!finished) {
          disk.delete(name + UNFINISHED); // a full disk needs its capacity
        }
      }
    }
  }
}
