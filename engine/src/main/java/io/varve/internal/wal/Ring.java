package io.varve.internal.wal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Memory in which frames are laid before they are written to their segment: the last `bytes` of
/// the log, one term in which each follows the last.
///
/// (R3) A range is zeroed only by the thread that wrote it to its segment, after the write.
final class Ring extends FrameMemory {
  private final Term term;

  Ring(MemorySegment memory, int salt) {
    super((int) memory.byteSize(), salt);
    term = new Term(memory);
  }

  @Override
  Term term(long lsn) {
    return term;
  }

  @Override
  void write(Segments segments, long startLsn, long endLsn, boolean forced) throws IOException {
    ByteBuffer batch = term.buffer().slice(offset(startLsn), (int) (endLsn - startLsn));
    segments.write(startLsn, batch, forced);
  }

  @Override
  void release(long startLsn, long endLsn) {
    term.memory().asSlice(offset(startLsn), endLsn - startLsn).fill((byte) 0); // (R3)
  }

  @Override
  void force(Segments segments, long startLsn, long endLsn) throws IOException {
    segments.force(startLsn, endLsn);
  }
}
