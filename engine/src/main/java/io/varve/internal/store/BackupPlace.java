package io.varve.internal.store;

import io.varve.internal.backup.BackupSet;
import io.varve.internal.disk.Disk;
import io.varve.spi.BackupTarget;
import java.nio.file.Path;

/// Where backups are, for as many uses as are wanted.
public sealed interface BackupPlace {
  /// The backups there, to read them: files and directories that may only be read will do.
  BackupSet read();

  /// The backups there, to change them.
  ///
  /// @param create whether to make a directory that is missing
  BackupSet open(boolean create);

  /// A directory, or one file.
  record OfPath(Path path) implements BackupPlace {
    @Override
    public BackupSet read() {
      return BackupSet.openReadOnly(path);
    }

    @Override
    public BackupSet open(boolean create) {
      return BackupSet.open(path, create);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /// What a program brings.
  record OfTarget(BackupTarget target) implements BackupPlace {
    @Override
    public BackupSet read() {
      return BackupSet.of(target);
    }

    @Override
    public BackupSet open(boolean create) {
      return BackupSet.of(target);
    }

    @Override
    public String toString() {
      return target.describe("");
    }
  }

  /// The directory of a disk, which is closed after its use: so there is one.
  record OfDisk(Disk disk) implements BackupPlace {
    @Override
    public BackupSet read() {
      return BackupSet.of(disk);
    }

    @Override
    public BackupSet open(boolean create) {
      return BackupSet.of(disk);
    }

    @Override
    public String toString() {
      return disk.describe("");
    }
  }
}
