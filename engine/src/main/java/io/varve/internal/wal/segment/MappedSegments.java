package io.varve.internal.wal.segment;

import io.varve.internal.disk.Mapping;
import java.io.IOException;
import java.util.Arrays;

/// The segments themselves as the memory in which frames are encoded, so that nothing is copied to
/// bring them there: a batch is written as soon as its frames are published, and durable when its
/// range of the mapping is forced.
///
/// - (M1) A term is here before the log may reserve in it, and until no byte of it is needed; the
///   newest stays. Its blocks are real and zero before it comes, so no store can find the disk
///   full.
/// - (M2) Terms follow each other without gaps. They are replaced as a whole, by one thread at a
///   time, under this object's lock; read without.
public final class MappedSegments extends LogBuffer {
  private final int shift;

  private volatile Terms terms = new Terms(0, new MappedTerm[0]); // (M2)

  /// @param first the number of the first term
  private record Terms(long first, MappedTerm[] list) {}

  /// @param offset of the term in its mapping
  private record MappedTerm(Term term, Mapping mapping, long offset) {}

  public MappedSegments(int termBytes, int salt) {
    super(termBytes, salt);
    shift = Integer.numberOfTrailingZeros(termBytes);
  }

  /// Takes the terms after the newest, which are mapped from their first byte on.
  synchronized void add(long firstLsn, Mapping mapping) {
    Terms before = terms;
    int count = (int) (mapping.memory().byteSize() >> shift);
    int length = before.list.length;
    MappedTerm[] list = Arrays.copyOf(before.list, length + count);
    for (int i = 0; i < count; i++) {
      long offset = (long) i << shift;
      Term term = new Term(mapping.memory().asSlice(offset, bytes()));
      list[length + i] = new MappedTerm(term, mapping, offset);
    }
    terms = new Terms(length == 0 ? firstLsn >> shift : before.first, list);
  }

  /// Releases terms wholly below `lsn`.
  synchronized void dropBelow(long lsn) {
    Terms before = terms;
    int count = Math.clamp((lsn >> shift) - before.first, 0, before.list.length - 1);
    if (count > 0) {
      MappedTerm[] list = Arrays.copyOfRange(before.list, count, before.list.length);
      terms = new Terms(before.first + count, list);
    }
  }

  private MappedTerm mapped(long lsn) {
    Terms now = terms;
    return now.list[(int) Math.max(0, (lsn >> shift) - now.first)];
  }

  @Override
  Term term(long lsn) {
    return mapped(lsn).term;
  }

  @Override
  public void write(long startLsn, long endLsn, boolean forced) throws IOException {
    if (forced) {
      forceTerm(startLsn, endLsn);
    }
  }

  @Override
  public void release(long startLsn, long endLsn) {
    // The frames are where they are to stay.
  }

  @Override
  public void force(long startLsn, long endLsn) throws IOException {
    long from = startLsn;
    while (from < endLsn) {
      long to = Math.min(endLsn, ((from >> shift) + 1) << shift);
      forceTerm(from, to);
      from = to;
    }
  }

  /// Forces a range within one term. What was released concurrently is durable.
  private void forceTerm(long startLsn, long endLsn) throws IOException {
    Terms now = terms;
    long index = (startLsn >> shift) - now.first;
    if (index >= 0) {
      MappedTerm term = now.list[(int) index];
      term.mapping.force(term.offset + offset(startLsn), endLsn - startLsn);
    }
  }
}
