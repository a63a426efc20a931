package io.varve.internal.wal;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;

/// How a log is written and waited for.
///
/// @param io how it gets to the disk
/// @param grouping how commits share forces
/// @param waiting how threads wait for them
public record LogMode(LogIo io, CommitGrouping grouping, CommitWait waiting) {
  static final LogMode DEFAULT =
      new LogMode(LogIo.DIRECT, new CommitGrouping.Adaptive(), CommitWait.ADAPTIVE);
}
