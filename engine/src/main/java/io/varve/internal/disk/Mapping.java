package io.varve.internal.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A range of a file in memory. It outlives the handle that mapped it: it stays as long as it is
/// reachable, so that nobody can take it from under a thread that is still inside.
public interface Mapping {

  /// The range, shared: what is stored into it belongs to the system, and survives the death of the
  /// process.
  MemorySegment memory();

  /// Makes a part of the range durable: what was stored into it before the call. The part should
  /// start and end at a multiple of 4096, or two forces write the same block. After a failure
  /// nothing is known of what was stored since the last success, as of [DiskFile#force].
  void force(long offset, long bytes) throws IOException;
}
