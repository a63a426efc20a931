package io.varve.internal.index;

import io.varve.internal.txn.KeySort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Sorts gathered entries by their prefixes without moving them. Of one prefix they stay as they
/// came: in the order of their keys, since the indexed space was read in it. Eight bytes of a
/// prefix, the *head*, are sorted as a number, from its last byte to its first, by counting. Where
/// heads are equal the next eight bytes decide.
///
/// For one thread at a time.
final class RunSorter {
  /// So few are sorted by insertion.
  private static final int INSERTED_MAX = 40;

  private final int[] counts = new int[256];

  private GatheredRun run = new GatheredRun();

  /// The first entry, in order, that is in no block yet.
  private int next;

  private long[] heads = {};
  private int[] locations = {};

  /// What is sorted is moved to these, and these become those.
  private long[] otherHeads = {};

  private int[] otherLocations = {};

  /// Sorts the entries of a run, for [#nextBlock].
  void sort(GatheredRun gathered) {
    run = gathered;
    next = 0;
    int size = run.size();
    if (heads.length < size) {
      heads = new long[size];
      locations = new int[size];
      otherHeads = new long[size];
      otherLocations = new int[size];
    }
    run.locate(locations);
    sort(0, size, size == 0 ? 0 : sharedBytes(size));
  }

  /// The entries that come next, as a block; null if there are no more.
  ///
  /// @param bytesMax the longest, unless one entry alone is longer
  byte @Nullable [] nextBlock(int bytesMax) {
    if (next == run.size()) {
      return null;
    }
    byte[] block = new byte[bytesMax];
    int length = 0;
    for (; next < run.size(); next++) {
      byte[] bytes = run.bytes(locations[next]);
      int from = GatheredRun.offset(locations[next]);
      int count = EntryBlock.end(bytes, from) - from;
      if (count > block.length - length) {
        if (length > 0) {
          break;
        }
        block = new byte[count];
      }
      System.arraycopy(bytes, from, block, length, count);
      length += count;
    }
    return length == block.length ? block : Arrays.copyOf(block, length);
  }

  /// How many first bytes all prefixes share: so the heads begin where these differ.
  private int sharedBytes(int size) {
    int shared = 0;
    long differing = 0;
    while (differing == 0 && isLonger(locations[0], shared)) {
      long first = head(locations[0], shared);
      for (int i = 1; i < size; i++) {
        differing |= head(locations[i], shared) ^ first;
      }
      shared += Long.numberOfLeadingZeros(differing) / Byte.SIZE;
    }
    return shared;
  }

  /// Sorts the entries of those numbers, whose prefixes share `shared` bytes.
  private void sort(int from, int to, int shared) {
    long differing = 0;
    for (int i = from; i < to; i++) {
      heads[i] = head(locations[i], shared);
      differing |= heads[i] ^ heads[from];
    }
    if (to - from <= INSERTED_MAX) {
      insert(from, to);
    } else {
      count(from, to, differing);
    }
    for (int start = from, end; start < to; start = end) {
      end = start + 1;
      while (end < to && heads[end] == heads[start]) {
        end++;
      }
      // No prefix begins another one: if one ends within the head, all of this head are equal.
      if (end - start > 1 && isLonger(locations[start], shared + Long.BYTES)) {
        sort(start, end, shared + Long.BYTES);
      }
    }
  }

  private long head(int location, int shared) {
    byte[] bytes = run.bytes(location);
    int at = GatheredRun.offset(location);
    int entry = EntryBlock.entryAt(at);
    return KeySort.head(bytes, entry + shared, entry + EntryBlock.prefixBytes(bytes, at));
  }

  private boolean isLonger(int location, int length) {
    return EntryBlock.prefixBytes(run.bytes(location), GatheredRun.offset(location)) > length;
  }

  private void insert(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long head = heads[i];
      int location = locations[i];
      int at = i;
      for (; at > from && Long.compareUnsigned(heads[at - 1], head) > 0; at--) {
        heads[at] = heads[at - 1];
        locations[at] = locations[at - 1];
      }
      heads[at] = head;
      locations[at] = location;
    }
  }

  /// Sorts by those bytes of the heads that differ.
  ///
  /// @param differing has a bit for each in which two heads differ
  private void count(int from, int to, long differing) {
    int passes = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      if (((differing >>> shift) & 0xff) != 0) {
        countByte(from, to, shift);
        passes++;
      }
    }
    if (passes % 2 != 0) {
      swap();
      System.arraycopy(otherHeads, from, heads, from, to - from);
      System.arraycopy(otherLocations, from, locations, from, to - from);
    }
  }

  /// Sorts by one byte, and swaps what is sorted with the other arrays.
  private void countByte(int from, int to, int shift) {
    Arrays.fill(counts, 0);
    for (int i = from; i < to; i++) {
      counts[(int) (heads[i] >>> shift) & 0xff]++;
    }
    int start = from;
    for (int value = 0; value < counts.length; value++) {
      int count = counts[value];
      counts[value] = start;
      start += count;
    }
    for (int i = from; i < to; i++) {
      int at = counts[(int) (heads[i] >>> shift) & 0xff]++;
      otherHeads[at] = heads[i];
      otherLocations[at] = locations[i];
    }
    swap();
  }

  private void swap() {
    long[] sortedHeads = otherHeads;
    int[] sortedLocations = otherLocations;
    otherHeads = heads;
    otherLocations = locations;
    heads = sortedHeads;
    locations = sortedLocations;
  }
}
