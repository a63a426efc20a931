package io.varve.internal.cache;

import io.varve.internal.disk.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Images in slabs outside of the heap, appended one after the other. When the last slab is full,
/// the oldest one is used again: of its images, those that were read since they came there stay, up
/// to half of the slab, and are moved to its start; all others leave. So nothing is fragmented, and
/// what is used outlives what is not.
///
/// An image of a slab, at a multiple of [#UNIT_BYTES]. All integers are in the machine's order.
///
/// | offset | bytes | field     | meaning                                                     |
/// |-------:|------:|-----------|-------------------------------------------------------------|
/// |      0 |     8 | extent    | of the image in the page file                               |
/// |      8 |     4 | checksum  | of the image in the page file                               |
/// |     12 |     4 | sum       | of the bytes here, and of the three numbers that follow     |
/// |     16 |     4 | pageBytes | length of the page                                          |
/// |     20 |     4 | gapFrom   | the page's bytes from here on up to `gapTo` are not stored  |
/// |     24 |     4 | gapTo     | see there                                                   |
/// |     28 |     4 | used      | 1 if the image was read since it came or was moved, or 0    |
/// |     32 |       | bytes     | of the page                                                 |
///
/// A *location* is a slab and an offset in it, in units. Not safe for threads.
final class SlabRing {
  static final int HEADER_BYTES = 32;
  static final int UNIT_BYTES = 32;

  private static final int CHECKSUM = 8;
  private static final int SUM = 12;
  private static final int PAGE_BYTES = 16;
  private static final int GAP_FROM = 20;
  private static final int GAP_TO = 24;
  private static final int USED = 28;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final NativeMemory memory;
  private final ImageTable table;
  private final int slabBytes;
  private final MemorySegment[] slabs;

  /// Of each slab, the end of its last image.
  private final int[] ends;

  private int slabCount;

  /// The slabs that there may be: fewer than planned if the system has refused one.
  private int slabCountMax;

  /// The slab that is appended to.
  private int current = -1;

  private long evictions;

  /// Makes a ring without a slab.
  ///
  /// @param table gets and loses locations as images move and leave
  /// @param slabBytes of each slab, a power of two
  SlabRing(NativeMemory memory, ImageTable table, int slabBytes, int slabCountMax) {
    this.memory = memory;
    this.table = table;
    this.slabBytes = slabBytes;
    this.slabs = new MemorySegment[slabCountMax];
    this.ends = new int[slabCountMax];
    this.slabCountMax = slabCountMax;
  }

  /// Appends an image and enters it in the table, unless it is longer than half a slab or there is
  /// no slab.
  ///
  /// @throws OutOfMemoryError if the system, or the heap for the table, refused memory; what is
  ///   there stays, and the ring gets no more slabs
  void append(SlabImage image) {
    int bytes = bytesFor(image.storedBytes());
    if (bytes > slabBytes / 2 || !reserve(bytes)) {
      return;
    }
    int at = ends[current];
    MemorySegment slab = slabs[current];
    slab.set(LONG, at, image.extent());
    slab.set(INT, at + CHECKSUM, image.checksum());
    slab.set(INT, at + SUM, image.sum());
    slab.set(INT, at + PAGE_BYTES, image.page().length);
    slab.set(INT, at + GAP_FROM, image.gapFrom());
    slab.set(INT, at + GAP_TO, image.gapTo());
    slab.set(INT, at + USED, 0);
    int tail = image.page().length - image.gapTo();
    int body = at + HEADER_BYTES;
    MemorySegment.copy(image.page(), 0, slab, BYTE, body, image.gapFrom());
    MemorySegment.copy(image.page(), image.gapTo(), slab, BYTE, body + image.gapFrom(), tail);
    table.put(ImageTable.tagOf(image.extent()), location(current, at));
    ends[current] = at + bytes;
  }

  private static int bytesFor(int storedBytes) {
    return (HEADER_BYTES + storedBytes + UNIT_BYTES - 1) & -UNIT_BYTES;
  }

  /// Makes the current slab one that has so many bytes left.
  private boolean reserve(int bytes) {
    if (current >= 0 && slabBytes - ends[current] >= bytes) {
      return true;
    }
    if (slabCount < slabCountMax) {
      current = add();
    } else if (slabCount > 0) {
      current = (current + 1) % slabCount;
      recycle(current);
    }
    return current >= 0;
  }

  private int add() {
    int added = slabCount;
    slabCountMax = slabCount; // unless the next line succeeds
    slabs[added] = memory.allocate(slabBytes);
    slabCountMax = slabs.length;
    slabCount++;
    return added;
  }

  /// Removes the images of a slab, except those that were used, up to half of it.
  private void recycle(int slab) {
    MemorySegment bytes = slabs[slab];
    int end = ends[slab];
    int to = 0;
    for (int from = 0; from < end; ) {
      int length = bytesAt(bytes, from, end);
      if (length < 0) {
        break; // damaged: no location that leads there is read any more, since headers are compared
      }
      int tag = ImageTable.tagOf(bytes.get(LONG, from));
      if (table.find(tag) == location(slab, from)) {
        if (bytes.get(INT, from + USED) != 0 && to + length <= slabBytes / 2) {
          MemorySegment.copy(bytes, from, bytes, to, length);
          bytes.set(INT, to + USED, 0);
          table.put(tag, location(slab, to));
          to += length;
        } else {
          table.remove(tag);
          evictions++;
        }
      }
      from += length;
    }
    ends[slab] = to;
  }

  /// The bytes that the image at an offset takes, or -1 if its header makes no sense.
  private static int bytesAt(MemorySegment slab, int at, int end) {
    int length = slab.get(INT, at + PAGE_BYTES);
    int gapFrom = slab.get(INT, at + GAP_FROM);
    int gapTo = slab.get(INT, at + GAP_TO);
    if (gapFrom < 0 || gapTo < gapFrom || length < gapTo || length > slab.byteSize()) {
      return -1;
    }
    int bytes = bytesFor(length - (gapTo - gapFrom));
    return bytes <= end - at ? bytes : -1;
  }

  private long location(int slab, int offset) {
    return ((long) slab * slabBytes + offset) / UNIT_BYTES;
  }

  /// Whether the image of an extent is at a location.
  boolean isAt(long location, long extent) {
    return slab(location).get(LONG, offset(location)) == extent;
  }

  /// The image at a location, which counts as used now.
  ///
  /// @return null if it is not the one meant, or its header makes no sense
  @Nullable SlabImage read(long location, long extent, int checksum) {
    MemorySegment slab = slab(location);
    int at = offset(location);
    if (!isAt(location, extent)
        || slab.get(INT, at + CHECKSUM) != checksum
        || bytesAt(slab, at, slabBytes) < 0) {
      return null;
    }
    byte[] page = new byte[slab.get(INT, at + PAGE_BYTES)];
    int gapFrom = slab.get(INT, at + GAP_FROM);
    int gapTo = slab.get(INT, at + GAP_TO);
    int body = at + HEADER_BYTES;
    MemorySegment.copy(slab, BYTE, body, page, 0, gapFrom);
    MemorySegment.copy(slab, BYTE, body + gapFrom, page, gapTo, page.length - gapTo);
    slab.set(INT, at + USED, 1);
    return new SlabImage(extent, checksum, page, gapFrom, gapTo, slab.get(INT, at + SUM));
  }

  /// Bytes of memory taken.
  long bytes() {
    return (long) slabCount * slabBytes;
  }

  /// Images that left so that others could come.
  long evictions() {
    return evictions;
  }

  private MemorySegment slab(long location) {
    return slabs[(int) (location * UNIT_BYTES / slabBytes)];
  }

  private int offset(long location) {
    return (int) (location * UNIT_BYTES % slabBytes);
  }
}
