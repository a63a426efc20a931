package io.varve.test;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.Mapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A disk that is notified of each call that changes something, in the calling thread, before
/// another disk makes it.
final class WatchedDisk implements Disk {
  private final Disk disk;
  private final Consumer<DiskCall> watcher;
  private final AtomicLong calls = new AtomicLong();

  WatchedDisk(Disk disk, Consumer<DiskCall> watcher) {
    this.disk = disk;
    this.watcher = watcher;
  }

  private void tell(DiskOperation operation, String name, long position, long length) {
    watcher.accept(new DiskCall(operation, name, position, length, calls.incrementAndGet()));
  }

  private void tell(DiskOperation operation, String name) {
    tell(operation, name, 0, 0);
  }

  @Override
  public DiskFile open(String name, FileOption... options) throws IOException {
    Set<FileOption> chosen = Set.of(options);
    boolean creating = chosen.contains(FileOption.CREATE) || chosen.contains(FileOption.CREATE_NEW);
    if (creating && !disk.exists(name)) {
      tell(DiskOperation.CREATE, name);
    }
    return new WatchedFile(disk.open(name, options));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public void createDirectory(String name) throws IOException {
    tell(DiskOperation.CREATE_DIRECTORY, name);
    disk.createDirectory(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    tell(DiskOperation.RENAME, from);
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    tell(DiskOperation.DELETE, name);
    disk.delete(name);
  }

  @Override
  public void syncDirectory(String name) throws IOException {
    tell(DiskOperation.SYNC_DIRECTORY, name);
    disk.syncDirectory(name);
  }

  @Override
  public DiskLock lock(String name) throws IOException {
    return disk.lock(name);
  }

  @Override
  public long usableBytes() throws IOException {
    return disk.usableBytes();
  }

  @Override
  public String describe(String name) {
    return disk.describe(name);
  }

  @Override
  public void close() {
    disk.close();
  }

  private final class WatchedFile implements DiskFile {
    private final DiskFile file;

    WatchedFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public int read(long position, ByteBuffer destination) throws IOException {
      return file.read(position, destination);
    }

    @Override
    public void write(long position, ByteBuffer source) throws IOException {
      tell(DiskOperation.WRITE, name(), position, source.remaining());
      file.write(position, source);
    }

    @Override
    public void force() throws IOException {
      tell(DiskOperation.FORCE, name());
      file.force();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      tell(DiskOperation.TRUNCATE, name(), size, 0);
      file.truncate(size);
    }

    @Override
    public Mapping map(long offset, long bytes) throws IOException {
      return new WatchedMapping(name(), file.map(offset, bytes));
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /// A mapping that notifies of its forces.
  private final class WatchedMapping implements Mapping {
    private final String name;
    private final Mapping mapping;

    WatchedMapping(String name, Mapping mapping) {
      this.name = name;
      this.mapping = mapping;
    }

    @Override
    public MemorySegment memory() {
      return mapping.memory();
    }

    @Override
    public void force(long offset, long bytes) throws IOException {
      tell(DiskOperation.FORCE, name);
      mapping.force(offset, bytes);
    }
  }
}
