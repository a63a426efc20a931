package io.varve.internal.backup;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.page.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/// Writes one backup file: under another name, which is changed when all of it is durable. So a
/// file that bears the name of a backup is whole.
///
/// For one thread.
final class BackupWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Disk disk;
  private final String name;
  private final UUID point;
  private final DiskFile file;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long position = BackupHeader.BYTES;
  private long imageCount;

  BackupWriter(Disk disk, String name, UUID point) throws IOException {
    this.disk = disk;
    this.name = name;
    this.point = point;
    this.file = disk.open(name + BackupSet.UNFINISHED, FileOption.CREATE);
    file.truncate(0);
  }

  /// Adds an image that is in `extent` of the page file.
  void add(long extent, byte[] image) throws IOException {
    write(new ImageRecord(extent, Bytes.i32(image, 4)).encode(point));
    write(image);
    imageCount++;
  }

  private void write(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; ) {
      int count = Math.min(bytes.length - at, buffer.remaining());
      buffer.put(bytes, at, count);
      at += count;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    int bytes = buffer.remaining();
    file.write(position, buffer);
    position += bytes;
    buffer.clear();
  }

  long imageCount() {
    return imageCount;
  }

  /// The bytes written so far, header included.
  long bytes() {
    return position + buffer.position();
  }

  /// Writes the header and makes the file a backup.
  void finish(BackupHeader header) throws IOException {
    flush();
    file.write(0, ByteBuffer.wrap(header.encode()));
    file.force();
    disk.rename(name + BackupSet.UNFINISHED, name);
    disk.syncDirectory("");
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
