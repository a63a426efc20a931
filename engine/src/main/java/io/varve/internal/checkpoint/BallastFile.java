package io.varve.internal.checkpoint;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A file of zeros that is truncated when the disk is full. The store can then still open, write a
/// checkpoint, and log the deletes that free capacity. While it is released, nothing that grows the
/// store is accepted; it is written again as soon as there is room.
///
/// Its bytes mean nothing, so a crash may leave it at any length. Safe for threads.
public final class BallastFile {
  public static final String NAME = "reserve";

  private static final int PIECE_BYTES = 1 << 20;

  private final Disk disk;
  private final long bytes;
  private volatile boolean whole;

  /// Looks at the reserve that is there.
  public BallastFile(Disk disk, long bytes) throws IOException {
    this.disk = disk;
    this.bytes = bytes;
    if (disk.exists(NAME)) {
      try (DiskFile file = disk.open(NAME)) {
        whole = file.size() >= bytes;
      }
    }
  }

  /// What is to be written again.
  long missingBytes() {
    return whole ? 0 : bytes;
  }

  /// The bytes that giving it up frees now.
  long bytes() {
    return whole ? bytes : 0;
  }

  /// Frees the room that it takes.
  ///
  /// @return whether there was any
  public synchronized boolean release() {
    if (!whole) {
      return false;
    }
    whole = false;
    try (DiskFile file = disk.open(NAME)) {
      file.truncate(0);
      file.force(); // some file systems give blocks back only then
      return true;
    } catch (IOException e) {
      return false; // of no use then, and no harm: whoever wanted the room meets a full disk
    }
  }

  /// Writes it again, if the disk has room for that and something more.
  public synchronized void restore() {
    if (whole) {
      return;
    }
    try {
      if (disk.usableBytes() / 5 * 4 < bytes) {
        return;
      }
      try (DiskFile file = disk.open(NAME, FileOption.CREATE)) {
        write(file);
      }
    } catch (IOException e) {
      // Without it the store works as well, until the disk is full.
    }
  }

  private void write(DiskFile file) throws IOException {
    try {
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(bytes, PIECE_BYTES));
      for (long at = 0; at < bytes; at += zeros.capacity()) {
        file.write(at, zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at)));
      }
      file.truncate(bytes); // an earlier one may have been larger
      file.force();
      whole = true;
    } catch (DiskFullException e) {
      file.truncate(0);
      throw e;
    }
  }
}
