package io.varve.internal.wal.segment;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// How a log is written and waited for.
///
/// @param io how it gets to the disk
/// @param grouping how commits share forces
/// @param waiting how threads wait for them
/// @param completions what completes the futures of commits, or null if a thread of the log does
public record LogMode(
    LogIo io, CommitGrouping grouping, CommitWait waiting, @Nullable Executor completions) {
  static final LogMode DEFAULT =
      new LogMode(LogIo.DIRECT, new CommitGrouping.Adaptive(), CommitWait.ADAPTIVE, null);
}
