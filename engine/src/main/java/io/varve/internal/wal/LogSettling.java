package io.varve.internal.wal;

import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes all of a log that a recovery believed durable (V2 of [LogRecovery]): writes again at its
/// offsets what no mark vouches for, with the frames that only the ring held, and forces it.
/// Sectors that the disk has are overwritten by what they hold, so that no loss of power can harm
/// them during that. What a mark vouches for was forced when it was read (V1): the files may be a
/// copy of those that the mark is about.
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
  private final long from;

  /// Frames that only the ring holds, to be written to their segments.
  private final List<GenerationReplay.RingOnly> ringOnly;

  private final long end;
  private @Nullable Thread second;
  private @Nullable Throwable failure;

  /// @param from where the log begins that is to be written again
  /// @param end where it ends
  LogSettling(
      FoundLog found,
      RecoveryFiles files,
      long from,
      List<GenerationReplay.RingOnly> ringOnly,
      long end) {
    this.found = found;
    this.files = files;
    // A mark vouches for frames in segments: one that a segment lacks was not durable there.
    long first = from;
    for (GenerationReplay.RingOnly frame : ringOnly) {
      first = Math.min(first, frame.lsn());
    }
    this.from = first;
    this.ringOnly = ringOnly;
    this.end = end;
  }

  /// Begins. What fails is thrown by [#await].
  ///
  /// @param bytesMin the length of a log for which a second thread brings more than it costs
  /// @param along what is done first
  void begin(StoreThreads threads, long bytesMin, SettlingWork along) {
    if (end - from < bytesMin) {
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
    Throwable thrown = failure;
    if (thrown != null) {
      ClosingSteps.rethrow(thrown);
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
        SegmentHeader header = segment.header();
        long to = found.believedTo(segment, end);
        if (to > from) {
          rewrite(file, 0, SegmentHeader.BYTES, buffer);
          long first = Math.max(header.firstLsn(), from);
          rewrite(file, header.offset(first), header.offset(to), buffer);
          file.force();
        }
      }
    }
  }

  private static void rewrite(DiskFile file, long from, long to, ByteBuffer buffer)
      throws IOException {
    for (long at = from; at < to; at += buffer.capacity()) {
      file.read(at, buffer.clear().limit((int) Math.min(buffer.capacity(), to - at)));
      file.write(at, buffer.flip());
    }
  }
}
