package io.varve.test;

import io.varve.internal.disk.Mapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A range of a file of a [FaultyDisk] in memory: what is stored there counts as written, and is
/// unforced until this forces it.
///
/// @param start of the range in the file
record SimulatedMapping(
    FileCalls disk, String name, FileImage image, long start, MemorySegment memory)
    implements Mapping {

  @Override
  public void force(long offset, long bytes) throws IOException {
    disk.forceMapped(name, image, start + offset, bytes);
  }
}
