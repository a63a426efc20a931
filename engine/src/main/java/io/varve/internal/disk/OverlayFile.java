package io.varve.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// An open file of an [OverlayDisk].
final class OverlayFile implements DiskFile {
  private final OverlayContent content;
  private final String name;
  private final String where;

  private volatile boolean closed; // written under the monitor

  private OverlayFile(OverlayContent content, String name, String where) {
    this.content = content;
    this.name = name;
    this.where = where;
  }

  /// A handle, which must be closed.
  ///
  /// @param where the file, for messages
  static OverlayFile open(OverlayContent content, String name, String where) throws IOException {
    content.opened();
    return new OverlayFile(content, name, where);
  }

  private void requireOpen() throws FileClosedException {
    if (closed) {
      throw new FileClosedException(where);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int read(long position, ByteBuffer destination) throws IOException {
    requireOpen();
    return content.read(position, destination);
  }

  @Override
  public void write(long position, ByteBuffer source) throws IOException {
    requireOpen();
    content.write(position, source, where);
  }

  @Override
  public void force() throws IOException {
    requireOpen(); // and nothing else: what was written is to be gone with the process
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return content.size();
  }

  @Override
  public void truncate(long size) throws IOException {
    requireOpen();
    content.truncate(size);
  }

  @Override
  public Mapping map(long offset, long bytes) throws IOException {
    requireOpen();
    return content.map(offset, bytes);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      content.closed();
    }
  }
}
