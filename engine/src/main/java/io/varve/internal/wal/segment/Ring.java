package io.varve.internal.wal.segment;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Memory in which frames are encoded before they are written to their segment: the last bytes of
/// the log. It begins with one term, and doubles when commits fill it faster than it is written.
///
/// - (R3) A range is zeroed only by the thread that wrote it to its segment, after the write.
/// - (R4) What is added to the file is written with zeros before it is mapped. So no store into the
///   ring can find the disk full.
/// - (R5) The ring doubles at an LSN that no commit may be reserved at yet. So all threads that
///   have a frame there see the length that counts. The allocator's thread alone doubles it.
public final class Ring extends LogBuffer {
  private static final int ZERO_BYTES = 1 << 20;

  private final Disk disk;
  private final int bytesMax;
  private final int shift;
  private final Segments segments;

  private volatile Terms terms; // (R5)

  /// @param list by their place in the ring
  private record Terms(RingLap lap, Term[] list) {}

  /// Makes a new ring, full of zeros.
  ///
  /// @param segments what it is written to
  public static Ring create(Disk disk, LogSettings options, int salt, Segments segments)
      throws IOException {
    // An open that finds none can do with a shorter one, which just tries: root may write where
    // others have no capacity.
    if (options.spareSegmentsMax() > 0) {
      requireCapacity(disk, options.ringBytes());
    }
    try (DiskFile file = disk.open(LogFiles.RING, FileOption.CREATE_NEW)) {
      MemorySegment first = extend(file, 0, options.termBytes());
      return new Ring(disk, options, salt, segments, first);
    }
  }

  Ring(Disk disk, LogSettings options, int salt, Segments segments, MemorySegment first) {
    super(options.termBytes(), salt);
    this.disk = disk;
    this.bytesMax = options.ringBytes();
    this.shift = Integer.numberOfTrailingZeros(bytes());
    this.segments = segments;
    terms = new Terms(RingLap.of(bytes()), new Term[] {new Term(first)});
  }

  private static void requireCapacity(Disk disk, long bytes) throws IOException {
    if (disk.usableBytes() < bytes) {
      throw new DiskFullException(
          "no capacity for the ring of the log: file="
              + disk.describe(LogFiles.RING)
              + ", bytes="
              + bytes);
    }
  }

  /// Makes the file longer. (R4) If it cannot, the file keeps nothing of what was added: a part of
  /// it would take capacity from a disk that may have none left.
  private static MemorySegment extend(DiskFile file, int from, int to) throws IOException {
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(to - from, ZERO_BYTES));
      for (int at = from; at < to; at += zeros.capacity()) {
        file.write(at, zeros.clear());
      }
      return file.map(from, to - from).memory();
    } catch (Throwable e) {
      try {
        file.truncate(from);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  @Override
  Term term(long lsn) {
    Terms now = terms;
    return now.list[(int) (lsn & (now.lap.bytesAt(lsn) - 1)) >> shift];
  }

  @Override
  public int bytesMax() {
    return bytesMax;
  }

  @Override
  RingLap lap() {
    return terms.lap;
  }

  @Override
  boolean mayDouble() {
    return (long) terms.list.length << shift < bytesMax;
  }

  @Override
  boolean tryDouble(long preparedLsn, long releasedLsn) throws IOException {
    Terms now = terms;
    RingLap lap = now.lap.after(releasedLsn);
    int bytes = lap.bytes();
    if (!mayDouble() || lap.isDoubling()) {
      return false;
    }
    requireCapacity(disk, 2L * bytes);
    segments.stateLongRing(); // before any frame is where the ring of one term has none
    MemorySegment more;
    try (DiskFile file = disk.open(LogFiles.RING)) {
      more = extend(file, bytes, 2 * bytes);
    }
    int count = now.list.length;
    Term[] list = Arrays.copyOf(now.list, 2 * count);
    for (int i = 0; i < count; i++) {
      list[count + i] = new Term(more.asSlice((long) i << shift, bytes()));
    }
    terms = new Terms(lap.doubledAt(preparedLsn), list);
    return true;
  }

  @Override
  public void write(long startLsn, long endLsn, boolean forced) throws IOException {
    Term term = term(startLsn);
    ByteBuffer batch = term.buffer().slice(offset(startLsn), (int) (endLsn - startLsn));
    segments.write(startLsn, batch, forced);
  }

  @Override
  public void release(long startLsn, long endLsn) {
    term(startLsn).memory().asSlice(offset(startLsn), endLsn - startLsn).fill((byte) 0); // (R3)
  }

  @Override
  public void force(long startLsn, long endLsn) throws IOException {
    segments.force(startLsn, endLsn);
  }
}
