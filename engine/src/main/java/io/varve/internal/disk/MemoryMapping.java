package io.varve.internal.disk;

import java.lang.foreign.MemorySegment;

/// A range of a file in memory: nothing of it outlives the process.
record MemoryMapping(MemorySegment memory) implements Mapping {
  @Override
  public void force(long offset, long bytes) {
    // as of a file in memory
  }
}
