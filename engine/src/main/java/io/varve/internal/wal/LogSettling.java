package io.varve.internal.wal;

import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes all of a log that a recovery believed durable (V2 of [LogRecovery]): writes it again at
/// its offsets, with the frames that only the ring held, and forces it. Sectors that the disk has
/// are overwritten by what they hold, so that no loss of power can harm them during that.
///
/// The thread that recovers begins it once, and awaits it before anything else is written. Until
/// then it applies in memory what it read: a long log is written by a thread of its own for that
/// time.
///
/// - **Threads:** for the one thread that recovers. The fields that the second thread uses are set
///   before its start, or read after its end.
final class LogSettling {
  private static final int REWRITE_BYTES = 1 << 20;

  private final FoundLog found;
  private final RecoveryFiles files;
  private final LogPosition checkpoint;

  /// Frames that only the ring holds, to be written to their segments.
  private final List<GenerationReplay.RingOnly> ringOnly;

  private final long end;
  private @Nullable Thread second;
  private @Nullable Throwable failure;

  /// @param checkpoint where the log begins that was believed
  /// @param end where it ends
  LogSettling(
      FoundLog found,
      RecoveryFiles files,
      LogPosition checkpoint,
      List<GenerationReplay.RingOnly> ringOnly,
      long end) {
    this.found = found;
    this.files = files;
    this.checkpoint = checkpoint;
    this.ringOnly = ringOnly;
    this.end = end;
  }

  /// Begins. What fails is thrown by [#await].
  ///
  /// @param bytesMin the length of a log for which a second thread brings more than it costs
  /// @param along what is done first
  void begin(StoreThreads threads, long bytesMin, SettlingWork along) {
    if (end - checkpoint.lsn() < bytesMin) {
      run(along);
      return;
    }
    try {
      Thread made = threads.newThread("varve-settle", () -> run(along));
      made.start();
      second = made;
    } catch (OutOfMemoryError _) {
      run(along); // The system has no more threads for this process.
    }
  }

  /// Waits until all is durable.
  void await() throws IOException {
    finish();
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("no other is thrown", failure);
    }
  }

  /// Waits until nothing is written any more, whether that failed or not.
  void finish() {
    Thread made = second;
    if (made != null) {
      Threads.join(made);
      second = null;
    }
  }

  private void run(SettlingWork along) {
    try (files) {
      along.run();
      settle();
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void settle() throws IOException {
    for (GenerationReplay.RingOnly frame : ringOnly) {
      FoundSegment segment = frame.segment();
      files.open(segment.name()).write(segment.header().offset(frame.lsn()), frame.frame());
    }
    ringOnly.clear();
    ByteBuffer buffer = ByteBuffer.allocate(REWRITE_BYTES);
    for (FoundSegment segment : found.segments()) {
      DiskFile file = files.opened(segment.name());
      if (file != null) {
        rewrite(file, 0, SegmentHeader.BYTES, buffer);
        rewrite(
            file,
            segment.header().offset(believedFrom(segment)),
            segment.header().offset(found.believedTo(segment, end)),
            buffer);
        file.force();
      }
    }
  }

  private long believedFrom(FoundSegment segment) {
    SegmentHeader header = segment.header();
    return header.generation() == checkpoint.generation()
        ? Math.max(header.firstLsn(), checkpoint.lsn())
        : header.firstLsn();
  }

  private static void rewrite(DiskFile file, long from, long to, ByteBuffer buffer)
      throws IOException {
    for (long at = from; at < to; at += buffer.capacity()) {
      file.read(at, buffer.clear().limit((int) Math.min(buffer.capacity(), to - at)));
      file.write(at, buffer.flip());
    }
  }
}
