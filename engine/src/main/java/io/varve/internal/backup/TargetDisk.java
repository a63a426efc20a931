package io.varve.internal.backup;

import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.ReadOnlyDisk;
import io.varve.spi.BackupTarget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// A [BackupTarget] as what a recovery reads archived log from.
final class TargetDisk implements ReadOnlyDisk {
  private final BackupTarget target;

  /// @param target its objects are the files
  TargetDisk(BackupTarget target) {
    this.target = target;
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    long bytes = target.size(name);
    if (bytes < 0) {
      throw new FileNotFoundException(describe(name));
    }
    return new TargetFile(name, bytes, new ReadAhead(target, name));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return target.size(name) >= 0;
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return target.list(directory).stream().sorted().toList();
  }

  @Override
  public String describe(String name) {
    return target.describe(name);
  }

  @Override
  public IOException refusal(String name) {
    return new IOException("backups are only read here: file=" + describe(name));
  }

  private final class TargetFile implements ReadOnlyFile {
    private final String name;
    private final long bytes;
    private final ReadAhead content;

    TargetFile(String name, long bytes, ReadAhead content) {
      this.name = name;
      this.bytes = bytes;
      this.content = content;
    }

    @Override
    public ReadOnlyDisk disk() {
      return TargetDisk.this;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int read(long position, ByteBuffer destination) throws IOException {
      return content.read(position, destination);
    }

    @Override
    public long size() {
      return bytes;
    }

    @Override
    public void close() {
      content.release(); // nothing is open between reads
    }
  }
}
