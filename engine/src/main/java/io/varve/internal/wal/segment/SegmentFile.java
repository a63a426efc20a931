package io.varve.internal.wal.segment;

import io.varve.LogIo;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.Mapping;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/// One segment of the running generation, open for writing.
final class SegmentFile {
  final SegmentHeader header;
  final String name;

  /// Whether the file held another segment before, so that all its blocks are real.
  final boolean isReused;

  /// For plain writes and forces.
  private final DiskFile plain;

  /// The same file, for writes of whole blocks that return durable.
  private final DiskFile synchronous;

  /// Guarded by this.
  private boolean closed;

  private SegmentFile(
      SegmentHeader header, String name, boolean isReused, DiskFile plain, DiskFile synchronous) {
    this.header = header;
    this.name = name;
    this.isReused = isReused;
    this.plain = plain;
    this.synchronous = synchronous;
  }

  /// Creates the file, or takes over one that was renamed to this name, and writes its header. Not
  /// durable until forced.
  ///
  /// @param ringIsLong whether the ring may be longer than a term when a frame of it is encoded
  static SegmentFile create(
      Disk disk, String name, SegmentHeader header, LogIo io, boolean ringIsLong, boolean isReused)
      throws IOException {
    DiskFile plain = disk.open(name, FileOption.CREATE);
    try {
      plain.write(0, header.encode(ringIsLong));
      FileOption[] options =
          io == LogIo.DIRECT
              ? new FileOption[] {FileOption.DSYNC, FileOption.DIRECT}
              : new FileOption[] {FileOption.DSYNC};
      return new SegmentFile(header, name, isReused, plain, disk.open(name, options));
    } catch (Throwable e) {
      new ClosingSteps(e).take(plain::close);
      throw e;
    }
  }

  void write(long lsn, ByteBuffer source, boolean forced) throws IOException {
    (forced ? synchronous : plain).write(header.offset(lsn), source);
  }

  /// States in the header that the ring may be longer than a term. Sectors are written whole or not
  /// at all, and each copy of the header is in one. So at any time either copy is right.
  void stateLongRing() throws IOException {
    plain.write(0, header.encode(/* ringIsLong= */ true));
  }

  /// Maps a range that is written.
  Mapping map(long lsn, long bytes) throws IOException {
    return plain.map(header.offset(lsn), bytes);
  }

  /// Frees what the file has past `lsn`.
  void cut(long lsn) throws IOException {
    plain.truncate(header.offset(lsn));
  }

  /// Does nothing on a closed file: one is closed when all that it holds is durable and not needed
  /// any more. That may happen while a force of several files is about to come to this one.
  synchronized void force() throws IOException {
    if (!closed) {
      plain.force();
    }
  }

  /// Waits for a force under way.
  synchronized void close() throws IOException {
    closed = true;
    try (plain;
        synchronous) {
      // closes both, whatever the first throws
    }
  }
}
