package io.varve.internal.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A range of a file of the file system, mapped. No call here takes notice of an interrupt.
record FileMapping(Path path, MemorySegment memory) implements Mapping {

  @Override
  public void force(long offset, long bytes) throws IOException {
    try {
      memory.asSlice(offset, bytes).force();
    } catch (UncheckedIOException e) {
      throw new IOException("force of mapped memory failed: file=" + path, e.getCause());
    }
  }
}
