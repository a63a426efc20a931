package io.varve.test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// The bytes of one file, twice: as the system shows them and as they are on stable storage. In
/// between are the sectors that may reach storage at any time, in any order, or never.
///
/// Invariants:
/// - (F1) A sector that is in neither of the two sets is on storage as it is shown, unless a failed
///   force lost it.
/// - (F2) Memory mapped is the truth for its range; [#observe] brings `shown` up to date with it
///   before anything else looks.
///
/// Guarded by the lock of its [FaultyDisk].
final class FileImage {
  static final int SECTOR_BYTES = 512;

  /// Earlier contents of an unforced sector that are kept, so that one of them may be what storage
  /// holds after a cut. A few show the fault; all would cost memory.
  private static final int VERSIONS_MAX = 3;

  private static final int PAGE_BYTES = 4096;

  private byte[] shown = new byte[0];
  private int size;
  private byte[] stored = new byte[0];
  private int storedSize;
  private final BitSet unforced = new BitSet(); // changed by writes, made durable by a force
  private final BitSet mappedUnforced = new BitSet(); // changed in memory, covered by no force
  private final Map<Integer, List<byte[]>> versions = new HashMap<>();

  /// The ranges that are mapped; they do not overlap.
  private final List<MappedRange> mapped = new ArrayList<>();

  /// `Arena.ofAuto` keeps the memory while any thread can reach it.
  private record MappedRange(int offset, MemorySegment memory) {
    int end() {
      return offset + (int) memory.byteSize();
    }

    boolean overlaps(int from, int to) {
      return from < end() && offset < to;
    }
  }

  int size() {
    return size;
  }

  /// Reads what is shown. Returns the number of bytes read.
  int read(long position, ByteBuffer destination) {
    observe();
    int length = Math.clamp(size - position, 0, destination.remaining());
    if (length > 0) {
      destination.put(shown, (int) position, length);
    }
    return length;
  }

  /// Writes bytes, unforced.
  void write(int position, byte[] bytes) {
    observe();
    int end = Math.addExact(position, bytes.length);
    shown = grown(shown, end);
    for (int sector : sectors(position, end)) {
      remember(sector);
      unforced.set(sector);
    }
    System.arraycopy(bytes, 0, shown, position, bytes.length);
    size = Math.max(size, end);
    mapped.forEach(range -> copyTo(range, position, bytes));
  }

  /// Makes the sectors of a range durable as they are shown.
  void forceRange(int position, int length) {
    int[] forced = sectors(position, position + length);
    if (forced.length > 0) {
      store(forced[0], forced[forced.length - 1] + 1);
    }
    for (int sector : forced) {
      unforced.clear(sector);
      versions.remove(sector);
    }
    storedSize = Math.max(storedSize, position + length);
  }

  /// Makes what was stored into a range of mapped memory durable, and what was written there.
  void forceMapped(int position, int length) {
    observe();
    forceRange(position, length);
    for (int sector : sectors(position, position + length)) {
      mappedUnforced.clear(sector);
    }
  }

  /// Makes all that was written durable, and the length. What was stored into mapped memory stays
  /// unforced.
  void force() {
    observe();
    for (int from = unforced.nextSetBit(0); from >= 0; ) {
      int to = unforced.nextClearBit(from);
      store(from, to);
      from = unforced.nextSetBit(to);
    }
    unforced.clear();
    versions.keySet().removeIf(sector -> !mappedUnforced.get(sector));
    storeSize();
  }

  /// Fails to force: some unforced sectors reach storage, the others never will.
  void failForce(SplittableRandom random) {
    observe();
    int percent = percent(random);
    unforced.stream().filter(_ -> random.nextInt(100) < percent).forEach(this::store);
    unforced.clear();
    versions.keySet().removeIf(sector -> !mappedUnforced.get(sector));
  }

  /// Fails to force a range: some of its sectors reach storage, the others never will, and all are
  /// shown.
  void failForceRange(int position, int length, SplittableRandom random) {
    int percent = percent(random);
    for (int sector : sectors(position, position + length)) {
      if (random.nextInt(100) < percent) {
        store(sector);
      }
      unforced.clear(sector);
      mappedUnforced.clear(sector);
      versions.remove(sector);
    }
  }

  /// Cuts the file; nothing happens if it is shorter.
  void truncate(int newSize) {
    observe();
    if (newSize >= size) {
      return;
    }
    // What was beyond must not come back when the file grows again, once a force has been there.
    for (int sector : sectors(newSize, Math.max(size, storedSize))) {
      unforced.set(sector);
    }
    Arrays.fill(shown, newSize, size, (byte) 0);
    size = newSize;
  }

  /// Maps a range, growing the file if need be; the same range may be mapped again and gives the
  /// same memory. Of mappings that overlap otherwise, the newest is the truth.
  MemorySegment map(int offset, int bytes) {
    if (offset + bytes > size) {
      write(size, new byte[offset + bytes - size]); // as a system does, with holes
    }
    observe();
    for (MappedRange range : mapped) {
      if (range.offset == offset && range.memory.byteSize() == bytes) {
        return range.memory;
      }
    }
    mapped.removeIf(range -> range.overlaps(offset, offset + bytes));
    MemorySegment memory = Arena.ofAuto().allocate(bytes, PAGE_BYTES);
    MemorySegment.copy(shown, offset, memory, ValueLayout.JAVA_BYTE, 0, bytes);
    mapped.add(new MappedRange(offset, memory));
    return memory;
  }

  /// Inverts one bit, on storage and as shown.
  FileImage flipBit(int position, int bit) {
    observe();
    byte mask = (byte) (1 << bit);
    shown[position] ^= mask;
    if (position < storedSize) {
      stored[position] ^= mask;
    }
    return this;
  }

  /// A copy of what is shown.
  byte[] content() {
    observe();
    return Arrays.copyOf(shown, size);
  }

  /// The file after the death of its process: all that was written or stored into memory is shown,
  /// what was not forced still is not.
  FileImage afterProcessCrash() {
    observe();
    FileImage after = new FileImage();
    after.shown = Arrays.copyOf(shown, size);
    after.size = size;
    after.stored = stored.clone();
    after.storedSize = storedSize;
    after.unforced.or(unforced);
    after.unforced.or(mappedUnforced);
    versions.forEach((sector, list) -> after.versions.put(sector, new ArrayList<>(list)));
    return after;
  }

  /// The file after a loss of power: what was forced, and of the rest what chance picks.
  FileImage afterPowerCut(SplittableRandom random) {
    observe();
    FileImage after = new FileImage();
    after.size = sizeAfterPowerCut(random);
    after.shown = Arrays.copyOf(Arrays.copyOf(stored, storedSize), after.size);
    BitSet pending = new BitSet();
    pending.or(unforced);
    pending.or(mappedUnforced);
    int percent = percent(random);
    pending.stream()
        .filter(_ -> random.nextInt(100) < percent)
        .forEach(sector -> after.overwrite(sector, pickVersion(sector, random)));
    after.stored = after.shown.clone();
    after.storedSize = after.size;
    return after;
  }

  /// Of ten cuts, some lose all that was not forced and some nothing: faults hide at both ends.
  private static int percent(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> 100;
      case 2 -> 10;
      case 3 -> 90;
      default -> 50;
    };
  }

  private int sizeAfterPowerCut(SplittableRandom random) {
    if (size == storedSize) {
      return size;
    }
    return switch (random.nextInt(3)) {
      case 0 -> storedSize;
      case 1 -> size;
      default -> {
        int least = Math.min(size, storedSize);
        int between = least + random.nextInt(Math.abs(size - storedSize));
        yield Math.max(least, between / PAGE_BYTES * PAGE_BYTES);
      }
    };
  }

  private byte[] pickVersion(int sector, SplittableRandom random) {
    List<byte[]> older = versions.get(sector);
    int pick = older == null ? 0 : random.nextInt(older.size() + 2);
    return older == null || pick >= older.size() ? sectorShown(sector) : older.get(pick);
  }

  private void overwrite(int sector, byte[] content) {
    int start = sector * SECTOR_BYTES;
    int length = Math.clamp(size - start, 0, SECTOR_BYTES);
    if (length > 0) {
      System.arraycopy(content, 0, shown, start, length);
    }
  }

  private byte[] sectorShown(int sector) {
    int start = sector * SECTOR_BYTES;
    return Arrays.copyOfRange(grown(shown, start + SECTOR_BYTES), start, start + SECTOR_BYTES);
  }

  private void remember(int sector) {
    if (unforced.get(sector) && sector * SECTOR_BYTES < size) {
      keepVersion(sector);
    }
  }

  private void keepVersion(int sector) {
    List<byte[]> older = versions.computeIfAbsent(sector, _ -> new ArrayList<>());
    if (older.size() == VERSIONS_MAX) {
      older.removeFirst();
    }
    older.add(sectorShown(sector));
  }

  private void store(int sector) {
    store(sector, sector + 1);
  }

  /// Brings sectors to storage as they are shown.
  private void store(int from, int to) {
    int start = from * SECTOR_BYTES;
    int end = to * SECTOR_BYTES;
    stored = grown(stored, end);
    shown = grown(shown, end);
    System.arraycopy(shown, start, stored, start, end - start);
  }

  private void storeSize() {
    if (size < storedSize) {
      Arrays.fill(stored, size, storedSize, (byte) 0);
    }
    storedSize = size;
  }

  /// Finds what was stored into mapped memory since the last look.
  void observe() {
    mapped.forEach(this::observe);
  }

  private void observe(MappedRange range) {
    int offset = range.offset;
    int end = Math.min(range.end(), size);
    MemorySegment memory = range.memory;
    MemorySegment seen = MemorySegment.ofArray(shown);
    int from = offset;
    while (from < end) {
      long mismatch = MemorySegment.mismatch(memory, from - offset, end - offset, seen, from, end);
      if (mismatch < 0) {
        return;
      }
      int sector = (from + (int) mismatch) / SECTOR_BYTES;
      int start = Math.max(offset, sector * SECTOR_BYTES);
      int next = Math.min(end, (sector + 1) * SECTOR_BYTES);
      if (mappedUnforced.get(sector)) {
        keepVersion(sector); // the system may have written it out as it was
      }
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, start - offset, shown, start, next - start);
      mappedUnforced.set(sector);
      from = next;
    }
  }

  private static void copyTo(MappedRange range, int position, byte[] bytes) {
    int start = Math.max(position, range.offset);
    int end = Math.min(position + bytes.length, range.end());
    if (start < end) {
      MemorySegment.copy(
          bytes,
          start - position,
          range.memory,
          ValueLayout.JAVA_BYTE,
          start - range.offset,
          end - start);
    }
  }

  private static int[] sectors(int start, int end) {
    int first = start / SECTOR_BYTES;
    int limit = (int) (((long) end + SECTOR_BYTES - 1) / SECTOR_BYTES);
    return IntStream.range(first, Math.max(first, limit)).toArray();
  }

  private static byte[] grown(byte[] bytes, int length) {
    if (length <= bytes.length) {
      return bytes;
    }
    int rounded = (length + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
    return Arrays.copyOf(bytes, Math.max(rounded, bytes.length + bytes.length / 2));
  }
}
