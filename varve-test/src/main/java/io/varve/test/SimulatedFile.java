package io.varve.test;

import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileClosedException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/// One handle of a file of a [FaultyDisk].
final class SimulatedFile implements DiskFile {
  /// What [FileOption#DIRECT] asks memory, positions and lengths to be multiples of.
  private static final int BLOCK_BYTES = 4096;

  private final FileCalls disk;
  private final String name;
  private final FileImage image;
  private final boolean readOnly;
  private final boolean synchronous;
  private final boolean direct;
  private volatile boolean closed;

  SimulatedFile(FileCalls disk, String name, FileImage image, Set<FileOption> options) {
    this.disk = disk;
    this.name = name;
    this.image = image;
    this.readOnly = options.contains(FileOption.READ_ONLY);
    this.synchronous = options.contains(FileOption.DSYNC);
    this.direct = options.contains(FileOption.DIRECT);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int read(long position, ByteBuffer destination) throws IOException {
    requireOpen();
    return disk.read(name, image, position, destination);
  }

  @Override
  public void write(long position, ByteBuffer source) throws IOException {
    requireWritable();
    if (direct) {
      requireAligned(position, source);
    }
    disk.write(name, image, synchronous, position, source);
  }

  @Override
  public void force() throws IOException {
    requireWritable();
    disk.force(name, image);
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return disk.size(image);
  }

  @Override
  public void truncate(long size) throws IOException {
    requireWritable();
    disk.truncate(name, image, size);
  }

  @Override
  public Mapping map(long offset, long bytes) throws IOException {
    requireWritable();
    return new SimulatedMapping(disk, name, image, offset, disk.map(name, image, offset, bytes));
  }

  @Override
  public void close() {
    closed = true;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new FileClosedException(name);
    }
  }

  private void requireAligned(long position, ByteBuffer source) {
    if (position % BLOCK_BYTES != 0
        || source.remaining() % BLOCK_BYTES != 0
        || source.alignmentOffset(source.position(), BLOCK_BYTES) != 0) {
      throw new IllegalArgumentException(
          "direct write is not aligned: file=%s, position=%d, bytes=%d"
              .formatted(name, position, source.remaining()));
    }
  }

  private void requireWritable() throws IOException {
    requireOpen();
    if (readOnly) {
      throw new IOException("file is open for reading only: file=" + name);
    }
  }
}
