package io.varve.test;

import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileClosedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// One handle of a file of a [FaultyDisk].
final class SimulatedFile implements DiskFile {
  private final FaultyDisk disk;
  private final String name;
  private final FileImage image;
  private final boolean readOnly;
  private final boolean synchronous;
  private volatile boolean closed;

  SimulatedFile(
      FaultyDisk disk, String name, FileImage image, boolean readOnly, boolean synchronous) {
    this.disk = disk;
    this.name = name;
    this.image = image;
    this.readOnly = readOnly;
    this.synchronous = synchronous;
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
  public MemorySegment map(long offset, long bytes) throws IOException {
    requireWritable();
    return disk.map(name, image, offset, bytes);
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

  private void requireWritable() throws IOException {
    requireOpen();
    if (readOnly) {
      throw new IOException("file is open for reading only: file=" + name);
    }
  }
}
