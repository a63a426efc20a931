package io.varve.internal.wal.segment;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Memory in which frames are encoded before they are written to their segment: the last `bytes` of
/// the log, one term in which each follows the last.
///
/// (R3) A range is zeroed only by the thread that wrote it to its segment, after the write.
public final class Ring extends LogBuffer {
  private final Segments segments;
  private final Term term;

  /// @param segments what it is written to
  public Ring(MemorySegment memory, int salt, Segments segments) {
    super((int) memory.byteSize(), salt);
    this.segments = segments;
    term = new Term(memory);
  }

  @Override
  Term term(long lsn) {
    return term;
  }

  @Override
  public void write(long startLsn, long endLsn, boolean forced) throws IOException {
    ByteBuffer batch = term.buffer().slice(offset(startLsn), (int) (endLsn - startLsn));
    segments.write(startLsn, batch, forced);
  }

  @Override
  public void release(long startLsn, long endLsn) {
    term.memory().asSlice(offset(startLsn), endLsn - startLsn).fill((byte) 0); // (R3)
  }

  @Override
  public void force(long startLsn, long endLsn) throws IOException {
    segments.force(startLsn, endLsn);
  }
}
