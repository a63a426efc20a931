/// The log: commits laid down in order, made durable in groups, and found again after a crash.
///
/// - **Knows:** frames, the ring, batches, segments, generations; a commit's body is only bytes.
/// - **Must not know:** what a commit means, pages, trees, transactions.
/// - **Entry:** [io.varve.internal.wal.Log]; after a crash [io.varve.internal.wal.LogRecovery].
/// - **Inside:** `Tail` (reservations) over `FrameMemory` (frames in memory: a `Ring`, or
///   `MappedSegments`), `Publication` (what is with the operating system), `BatchChain` (what is
///   written and durable), `GroupCommit` (who writes, as a `Grouping` decides, and who waits, as
///   `Linger` and `Waiter` do), `Segments` and `Keeper` (files: made ready, then released),
///   `FrameHeader` and `SegmentHeader` (bytes).
/// - **Lock order:** the turn of a commit that forces by itself, which is held across file access;
///   then the log's own monitor (release, close); then any one of: the seal lock, the advance lock,
///   the monitors of `Segments` (with that of `MappedSegments` inside) and `Keeper`. Except the
///   first, none is held across file access, nor needed by a caller that holds locks of its own,
///   except a few instructions: `tryReserve`, a sink within one frame and `publish` never wait.
@NullMarked
package io.varve.internal.wal;

import org.jspecify.annotations.NullMarked;
