package io.varve.test;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A part of a store's work in which [KillTest] kills the process, as seen from the disk: the calls
/// that a [KillChild] makes while it is at something, or that are such by what they do to which
/// file.
enum KillPhase {
  /// In none that was chosen: the parent kills when it likes.
  ANYWHERE(1),

  /// Opening: making a new store, or replaying the log after an earlier kill.
  OPEN(32),

  /// Writing a batch of the log.
  LOG_WRITE(64, call -> isSegment(call) && call.operation() == DiskOperation.WRITE),

  /// Making, reusing or deleting a segment of the log.
  SEGMENT_SWITCH(16, call -> isSegment(call) && isOfName(call.operation())),

  /// Writing a checkpoint that was asked for.
  CHECKPOINT(32),

  /// Writing a superblock, whichever thread asked for the checkpoint.
  SUPERBLOCK(4, call -> isSuperblockWrite(call)),

  /// Moving pages down and cutting the page file.
  COMPACTION(64),

  /// Copying a checkpoint to a directory of backups.
  BACKUP(16),

  /// Closing: the last checkpoint, and the end of the log.
  CLOSE(16);

  /// Where the page file's extents start; its superblocks are before.
  private static final long FIRST_EXTENT_OFFSET = 32768;

  private final int callsMax;
  private final Predicate<DiskCall> calls;

  KillPhase(int callsMax) {
    this(callsMax, _ -> false);
  }

  KillPhase(int callsMax, Predicate<DiskCall> calls) {
    this.callsMax = callsMax;
    this.calls = calls;
  }

  /// How far into the phase a kill may come, in calls; about as many as it has.
  int callsMax() {
    return callsMax;
  }

  /// Whether a call belongs to this phase.
  ///
  /// @param underWay what the calling thread is at, if that is a phase
  boolean covers(@Nullable KillPhase underWay, DiskCall call) {
    return underWay == this || calls.test(call);
  }

  private static boolean isSegment(DiskCall call) {
    return call.name().startsWith("log/") && call.name().endsWith(".log");
  }

  private static boolean isOfName(DiskOperation operation) {
    return operation == DiskOperation.CREATE
        || operation == DiskOperation.RENAME
        || operation == DiskOperation.DELETE;
  }

  private static boolean isSuperblockWrite(DiskCall call) {
    return call.operation() == DiskOperation.WRITE
        && call.name().equals("pages")
        && call.position() < FIRST_EXTENT_OFFSET;
  }
}
