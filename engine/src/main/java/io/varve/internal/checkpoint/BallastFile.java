package io.varve.internal.checkpoint;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A file of zeros that is truncated when the disk is full. The store can then still open, write a
/// checkpoint, and log the deletes that free capacity. While it is released, nothing that grows the
/// store is accepted; it is written again as soon as there is capacity.
///
/// It grows with the store, whose checkpoints take the more the larger it is. Its bytes mean
/// nothing, so a crash may leave it at any length. Safe for threads.
///
/// (BALLAST-1) It has what the log needs to continue by segments that take turns. A log that is
/// mapped grows by terms, and its last segment may be used up when the disk is full. Nor is it
/// written again while that would leave less for the log: a delete that waits for the log would
/// find it taken.
public final class BallastFile {
  public static final String NAME = "reserve";

  private static final int PIECE_BYTES = 1 << 20;

  /// What a store has that is small.
  private static final long BYTES_FIRST = 1 << 20;

  /// Its part of the live bytes of a store, and the step in which it grows.
  private static final int LIVE_PART = 16;

  private static final long STEP_BYTES = 1 << 20;

  private final Disk disk;
  private final long logBytes;

  /// What it has for checkpoints, at least and at most.
  private final long bytesFirst;

  private final long bytesMax;
  private volatile long bytes; // written under the monitor
  private volatile boolean whole;

  /// Looks at the reserve that is there.
  ///
  /// @param bytesMax how long it grows for checkpoints
  /// @param logBytes of it in addition, for the log; 0 if that grows by any step
  public BallastFile(Disk disk, long bytesMax, long logBytes) throws IOException {
    this.disk = disk;
    this.logBytes = logBytes;
    this.bytesMax = bytesMax;
    this.bytesFirst = Math.min(BYTES_FIRST, bytesMax);
    this.bytes = bytesFirst + logBytes;
    if (disk.exists(NAME)) {
      try (DiskFile file = disk.open(NAME)) {
        long present = file.size();
        whole = present >= bytesFirst; // of a log of another kind it may lack the step
        if (whole) {
          bytes = Math.min(present, bytesMax + logBytes);
        }
      }
    }
  }

  /// Makes it as long as is right for a store of so many live bytes. It does so if the file is
  /// whole, the store has grown by a good deal, and the disk has capacity for that and more.
  public synchronized void growFor(long liveBytes) {
    long wanted = Math.clamp(liveBytes / LIVE_PART, bytesFirst, bytesMax) + logBytes;
    if (!whole || wanted < bytes + STEP_BYTES) {
      return;
    }
    try {
      if (!isAmple(wanted - bytes)) {
        return;
      }
      try (DiskFile file = disk.open(NAME)) {
        write(file, bytes, wanted);
      }
      bytes = wanted;
    } catch (IOException e) {
      // It is as long as it was, which was enough so far.
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

  /// Frees the capacity that it takes.
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
      return false; // no use and no harm: a thread that needs the capacity finds a full disk
    }
  }

  /// Writes it again, if the disk has capacity for that and something more.
  public synchronized void restore() {
    if (whole) {
      return;
    }
    try {
      if (!isAmple(bytes)) {
        return;
      }
      try (DiskFile file = disk.open(NAME, FileOption.CREATE)) {
        write(file, 0, bytes);
        whole = true;
      }
    } catch (IOException e) {
      // Without it the store works as well, until the disk is full.
    }
  }

  /// Whether the disk has so much and something more, apart from what the log may need (BALLAST-1).
  private boolean isAmple(long wanted) throws IOException {
    return (disk.usableBytes() - logBytes) / 5 * 4 >= wanted;
  }

  /// Makes the file `to` bytes long, with zeros in `[from, to)`; on a full disk `from` bytes.
  private static void write(DiskFile file, long from, long to) throws IOException {
    try {
      ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(to - from, PIECE_BYTES));
      for (long at = from; at < to; at += zeros.capacity()) {
        file.write(at, zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)));
      }
      file.truncate(to); // an earlier one may have been larger
      file.force();
    } catch (DiskFullException e) {
      file.truncate(from);
      throw e;
    }
  }
}
