package io.varve.internal.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// The bytes of a file of an [OverlayDisk]: those of the file below it, and the pages that differ.
///
/// - (OVERLAY-1) A page is kept only once a write gave it other bytes than it had. Recovery writes
///   the log that it found again, and new segments are zeros after their end: neither takes memory.
/// - (OVERLAY-2) All bytes from `size` on are zero: those of kept pages, and those below, which end
///   at `belowBytes`.
final class OverlayContent {
  private static final int PAGE_BYTES = 4096;

  /// The most that is compared in one step; a multiple of a page.
  private static final int PIECE_BYTES = 64 * PAGE_BYTES;

  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  private final Disk below;
  private final @Nullable String nameBelow;
  private final OverlayMemory memory;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /// By number. Guarded by the lock, as is all that follows.
  private final Map<Long, byte[]> pages = new HashMap<>();

  /// Open while any handle is.
  private @Nullable DiskFile fileBelow;

  private int handles;
  private long size;

  /// How many bytes of the file below show.
  private long belowBytes;

  private boolean isSizeKnown;
  private boolean isDeleted;

  private OverlayContent(Disk below, @Nullable String nameBelow, OverlayMemory memory) {
    this.below = below;
    this.nameBelow = nameBelow;
    this.memory = memory;
  }

  /// A file of the disk below.
  static OverlayContent of(Disk below, String name, OverlayMemory memory) {
    return new OverlayContent(below, name, memory);
  }

  /// A new file, which is empty.
  static OverlayContent empty(Disk below, OverlayMemory memory) {
    return new OverlayContent(below, null, memory);
  }

  /// Begins one handle, which must be ended.
  void opened() throws IOException {
    lock.writeLock().lock();
    try {
      if (nameBelow != null && handles == 0) {
        DiskFile opened = below.open(nameBelow, FileOption.READ_ONLY);
        try {
          lookAt(opened);
        } catch (Throwable e) {
          new ClosingSteps(e).take(opened::close);
          throw e;
        }
        fileBelow = opened;
      }
      handles++;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void lookAt(DiskFile opened) throws IOException {
    if (!isSizeKnown) {
      size = opened.size();
      belowBytes = size;
      isSizeKnown = true;
    }
  }

  /// Ends one handle.
  void closed() throws IOException {
    lock.writeLock().lock();
    try {
      handles--;
      if (handles == 0) {
        releaseIfDeleted();
        DiskFile closing = fileBelow;
        fileBelow = null;
        if (closing != null) {
          closing.close();
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// No name leads here any more. Handles stay usable.
  void deleted() {
    lock.writeLock().lock();
    try {
      isDeleted = true;
      releaseIfDeleted();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void releaseIfDeleted() {
    if (isDeleted && handles == 0) {
      memory.release((long) pages.size() * PAGE_BYTES);
      pages.clear();
    }
  }

  int read(long position, ByteBuffer destination) throws IOException {
    lock.readLock().lock();
    try {
      long end = Math.min(size, position + destination.remaining());
      if (end <= position) {
        return 0;
      }
      copy(position, end, destination);
      return (int) (end - position);
    } finally {
      lock.readLock().unlock();
    }
  }

  /// Copies the bytes of a range, which are zeros after the end.
  private void copy(long from, long to, ByteBuffer destination) throws IOException {
    long at = from;
    while (at < to) {
      byte[] page = pages.get(at / PAGE_BYTES);
      if (page == null) {
        long end = endOfPagesBelow(at, to);
        copyBelow(at, end, destination);
        at = end;
      } else {
        int within = (int) (at % PAGE_BYTES);
        int bytes = (int) Math.min(PAGE_BYTES - within, to - at);
        destination.put(page, within, bytes);
        at += bytes;
      }
    }
  }

  /// Where the pages from `at` on end that are not kept, `to` at the most.
  private long endOfPagesBelow(long at, long to) {
    if (pages.isEmpty()) {
      return to;
    }
    long end = (at / PAGE_BYTES + 1) * PAGE_BYTES;
    while (end < to && !pages.containsKey(end / PAGE_BYTES)) {
      end += PAGE_BYTES;
    }
    return Math.min(end, to);
  }

  private void copyBelow(long from, long to, ByteBuffer destination) throws IOException {
    int end = destination.position() + Math.toIntExact(to - from);
    int there = (int) Math.clamp(belowBytes - from, 0, to - from);
    DiskFile file = fileBelow;
    if (there > 0 && file != null) {
      int limit = destination.limit();
      file.read(from, destination.limit(destination.position() + there));
      destination.limit(limit);
    }
    while (destination.position() < end) {
      destination.put(ZEROS, 0, Math.min(ZEROS.length, end - destination.position()));
    }
  }

  /// @param where the file, for messages
  void write(long position, ByteBuffer source, String where) throws IOException {
    lock.writeLock().lock();
    try {
      long at = position;
      while (source.hasRemaining()) {
        long first = at / PAGE_BYTES * PAGE_BYTES;
        int bytes = (int) Math.min(source.remaining(), first + PIECE_BYTES - at);
        writePiece(first, (int) (at - first), source.slice(source.position(), bytes), where);
        source.position(source.position() + bytes);
        at += bytes;
        size = Math.max(size, at);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// Writes a piece that begins in the page at `first`. (OVERLAY-1)
  private void writePiece(long first, int within, ByteBuffer piece, String where)
      throws IOException {
    int bytes = Math.ceilDiv(within + piece.remaining(), PAGE_BYTES) * PAGE_BYTES;
    byte[] now = new byte[bytes];
    copy(first, first + bytes, ByteBuffer.wrap(now));
    ByteBuffer present = ByteBuffer.wrap(now);
    int at = within;
    while (piece.hasRemaining()) {
      int inPage = at % PAGE_BYTES;
      int count = Math.min(piece.remaining(), PAGE_BYTES - inPage);
      ByteBuffer part = piece.slice(piece.position(), count);
      if (!part.equals(present.slice(at, count))) {
        part.get(page((first + at) / PAGE_BYTES, now, at - inPage, where), inPage, count);
      }
      piece.position(piece.position() + count);
      at += count;
    }
  }

  /// A page to write to, which at first holds what the range of `now` at `offset` does.
  private byte[] page(long number, byte[] now, int offset, String where) throws DiskFullException {
    byte[] page = pages.get(number);
    if (page == null) {
      memory.take(where, PAGE_BYTES);
      page = new byte[PAGE_BYTES];
      System.arraycopy(now, offset, page, 0, PAGE_BYTES);
      pages.put(number, page);
    }
    return page;
  }

  long size() {
    lock.readLock().lock();
    try {
      return size;
    } finally {
      lock.readLock().unlock();
    }
  }

  /// (OVERLAY-2)
  void truncate(long bytes) {
    lock.writeLock().lock();
    try {
      if (bytes >= size) {
        return;
      }
      size = bytes;
      belowBytes = Math.min(belowBytes, bytes);
      long kept = Math.ceilDiv(bytes, PAGE_BYTES);
      int before = pages.size();
      pages.keySet().removeIf(number -> number >= kept);
      memory.release((long) (before - pages.size()) * PAGE_BYTES);
      byte[] last = pages.get(bytes / PAGE_BYTES);
      if (last != null) {
        Arrays.fill(last, (int) (bytes % PAGE_BYTES), PAGE_BYTES, (byte) 0);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// Memory that holds what the range of the file holds now. What is stored into it is not seen in
  /// the file: the log maps what it alone uses.
  Mapping map(long offset, long bytes) throws IOException {
    MemorySegment mapped = Arena.ofAuto().allocate(bytes, Long.BYTES);
    lock.readLock().lock();
    try {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        long end = Math.min(bytes, at + PIECE_BYTES);
        copy(offset + at, offset + end, mapped.asSlice(at, end - at).asByteBuffer());
      }
    } finally {
      lock.readLock().unlock();
    }
    return new MemoryMapping(mapped);
  }
}
