package io.varve.internal.backup;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.Mapping;
import io.varve.spi.BackupTarget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// A [BackupTarget] as what a recovery reads archived log from. Nothing can be changed by it.
///
/// @param target its objects are the files
record TargetDisk(BackupTarget target) implements Disk {
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
  public void createDirectory(String name) throws IOException {
    throw readOnly(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    throw readOnly(from);
  }

  @Override
  public void delete(String name) throws IOException {
    throw readOnly(name);
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    throw readOnly(name);
  }

  @Override
  public DiskLock lock(String name) {
    throw new UnsupportedOperationException("backups that are read are not locked");
  }

  @Override
  public long usableBytes() {
    return 0;
  }

  @Override
  public void close() {
    // The owner of the target closes it.
  }

  private IOException readOnly(String name) {
    return new IOException("backups are only read here: file=" + describe(name));
  }

  private final class TargetFile implements DiskFile {
    private final String name;
    private final long bytes;
    private final ReadAhead content;

    TargetFile(String name, long bytes, ReadAhead content) {
      this.name = name;
      this.bytes = bytes;
      this.content = content;
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
    public void write(long position, ByteBuffer source) throws IOException {
      throw readOnly(name);
    }

    @Override
    public void force() throws IOException {
      throw readOnly(name);
    }

    @Override
    public void truncate(long size) throws IOException {
      throw readOnly(name);
    }

    @Override
    public Mapping map(long offset, long length) throws IOException {
      throw readOnly(name);
    }

    @Override
    public void close() {
      content.release(); // nothing is open between reads
    }
  }
}
