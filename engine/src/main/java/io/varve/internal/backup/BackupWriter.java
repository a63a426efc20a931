package io.varve.internal.backup;

import io.varve.internal.page.Bytes;
import io.varve.spi.BackupTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/// Writes one backup file, from its first byte to its last: the images, and then the header.
///
/// For one thread.
final class BackupWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final BackupTarget.NewObject object;
  private final UUID point;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long written;
  private long imageCount;

  BackupWriter(BackupTarget target, String name, UUID point) throws IOException {
    this.object = target.create(name);
    this.point = point;
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
    written += buffer.remaining();
    object.write(buffer);
    buffer.clear();
  }

  long imageCount() {
    return imageCount;
  }

  /// The length of the whole file if nothing is added to it but its header.
  long bytes() {
    return written + buffer.position() + BackupHeader.BYTES;
  }

  /// Writes the header and makes the file a backup.
  void finish(BackupHeader header) throws IOException {
    write(header.encode());
    flush();
    object.finish();
  }

  @Override
  public void close() throws IOException {
    object.close();
  }
}
